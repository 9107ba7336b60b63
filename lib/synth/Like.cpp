// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions are visited from the first one, depth first, and become nonterminals when those that
// they call have become such (see Builder.h); a call of one that is still being visited closes a
// cycle.
//
// Recursion ends, and every place of it can be reached at the limit, when a recursive call can be
// left out and no other call stands after it: those that a loop or a conditional with another way
// contains last stay as they are, the others get a conditional of their own. The same holds for
// calls that would make the shortest input too long.
#include "synth/Like.h"

#include "synth/Builder.h"

#include "support/Check.h"
#include "support/Rng.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace fathom::synth {

namespace {

/// Bytes that the shortest derivation of a function may take.
constexpr uint32_t kAffordable = 256;
/// Alternatives of one conditional; more go into its else.
constexpr size_t kAlternatives = 64;
/// Targets of a dispatcher; more get dispatchers of their own.
constexpr size_t kTargets = 32;
/// Bytes beyond kStarters, all in a row: case labels that share an alternative take such.
constexpr unsigned kRowFirst = 0x80, kRowLast = 0xfe;

std::string alphabet() {
  std::string all(kStarters);
  for (unsigned byte = kRowFirst; byte <= kRowLast; ++byte) all += static_cast<char>(byte);
  return all;
}

class Translator {
public:
  Translator(const ControlFlow &program, const Knobs &knobs, LikeNotes &notes)
      : knobs_(knobs), notes_(notes), functions_(program.functions), targets_(program.targets),
        rng_(knobs.seed, /*stream=*/13), b_(g_, rng_, alphabet()) {}
  Grammar run();

private:
  enum class State : uint8_t { New, Open, Done };

  // What is there.
  void addDispatchers();
  uint32_t addDispatcher(std::vector<uint32_t> targets);
  static void splitChoices(Flow &flow);
  static bool calls(const Flow &flow);
  void nameFunctions();

  // What it becomes.
  void visit(uint32_t function);
  void visitCalls(const Flow &flow);
  void build(uint32_t nonterminal, const Flow &body);
  void pushBody(Draft &draft, const Flow &sequence, bool avoidable);
  void pushAny(Draft &draft, const Flow &flow, bool avoidable);
  void pushCall(Draft &draft, const CallSite &site, bool avoidable);
  void pushGuardedCalls(Draft &draft);
  bool recursive(const Flow &flow) const;
  void pushChoice(Draft &draft, const Flow &flow, bool avoidable);
  NodeId alternative(const Flow &flow, Lookahead &taken, uint32_t labels, size_t &spare);
  NodeId row(const Lookahead &taken, uint32_t &labels);
  Draft behindToken(Draft &&draft);

  const Knobs &knobs_;
  LikeNotes &notes_;
  std::vector<FlowFunction> functions_; ///< with dispatchers
  std::vector<std::vector<uint32_t>> targets_;
  std::vector<uint32_t> dispatcher_; ///< by index into targets: the function to call instead
  std::vector<std::string> names_;
  std::vector<State> state_;
  std::unordered_map<const Flow *, CallSite> sites_;
  Rng rng_;
  Grammar g_;
  Builder b_;
};

Grammar Translator::run() {
  g_.limit = static_cast<uint32_t>(knobs_.limit);
  g_.keyBytes = static_cast<uint32_t>(knobs_.keyBytes);
  addDispatchers();
  for (FlowFunction &f : functions_) splitChoices(f.body);
  nameFunctions();
  state_.assign(functions_.size(), State::New);
  notes_.nonterminalOf.assign(functions_.size(), kNone);
  visit(0);
  size_t reachable = g_.nonterminals.size();
  for (uint32_t f = 0; f < functions_.size(); ++f)
    if (state_[f] == State::New) visit(f);
  for (size_t i = reachable; i < g_.nonterminals.size(); ++i) g_.nonterminals[i].intended = false;
  b_.finish();
  return std::move(g_);
}

// ---- what is there

void Translator::addDispatchers() {
  for (std::vector<uint32_t> &targets : targets_)
    dispatcher_.push_back(targets.size() == 1 ? targets[0] : addDispatcher(std::move(targets)));
}

uint32_t Translator::addDispatcher(std::vector<uint32_t> targets) {
  while (targets.size() > kTargets) {
    std::vector<uint32_t> groups;
    for (size_t i = 0; i < targets.size(); i += kTargets)
      groups.push_back(addDispatcher(
          {targets.begin() + static_cast<std::ptrdiff_t>(i),
           targets.begin() + static_cast<std::ptrdiff_t>(std::min(i + kTargets, targets.size()))}));
    targets = std::move(groups);
  }
  Flow choice{.kind = Flow::Choice, .isSwitch = true};
  for (uint32_t target : targets) {
    Flow sequence;
    sequence.children.push_back({.kind = Flow::Call, .value = target});
    choice.labels.push_back(1);
    choice.children.push_back(std::move(sequence));
  }
  FlowFunction f;
  f.name = "indirect_" + std::to_string(notes_.dispatchers++);
  f.body.children.push_back(std::move(choice));
  functions_.push_back(std::move(f));
  return static_cast<uint32_t>(functions_.size() - 1);
}

void Translator::splitChoices(Flow &flow) {
  if (flow.kind == Flow::Choice && flow.labels.size() > kAlternatives) {
    auto split = static_cast<std::ptrdiff_t>(kAlternatives);
    Flow rest{.kind = Flow::Choice, .isSwitch = flow.isSwitch, .lastIsElse = flow.lastIsElse};
    rest.labels.assign(flow.labels.begin() + split, flow.labels.end());
    rest.children.assign(std::make_move_iterator(flow.children.begin() + split),
                         std::make_move_iterator(flow.children.end()));
    flow.labels.resize(kAlternatives), flow.children.resize(kAlternatives);
    Flow otherwise;
    otherwise.children.push_back(std::move(rest));
    flow.lastIsElse = true;
    flow.children.push_back(std::move(otherwise));
  }
  for (Flow &child : flow.children) splitChoices(child);
}

bool Translator::calls(const Flow &flow) {
  return flow.kind == Flow::Call || flow.kind == Flow::Indirect ||
         std::any_of(flow.children.begin(), flow.children.end(), calls);
}

/// Names of C, all different: LLVM's may have dots.
void Translator::nameFunctions() {
  std::set<std::string> taken;
  for (const FlowFunction &f : functions_) {
    std::string name = f.name;
    for (char &c : name)
      if (!isalnum(static_cast<unsigned char>(c))) c = '_';
    while (!taken.insert(name).second) name += '_';
    names_.push_back(std::move(name));
  }
}

// ---- what it becomes

void Translator::visit(uint32_t function) {
  state_[function] = State::Open;
  auto i = static_cast<uint32_t>(g_.nonterminals.size());
  notes_.nonterminalOf[function] = i;
  g_.nonterminals.emplace_back().name = names_[function];
  g_.nonterminals[i].returnsErrors = b_.chance(knobs_.returned);
  visitCalls(functions_[function].body);
  build(i, functions_[function].body);
  state_[function] = State::Done;
}

void Translator::visitCalls(const Flow &flow) {
  for (const Flow &child : flow.children) visitCalls(child);
  if (flow.kind != Flow::Call && flow.kind != Flow::Indirect) return;
  uint32_t function = flow.kind == Flow::Call ? flow.value : dispatcher_[flow.value];
  CallSite site;
  site.recursive = state_[function] == State::Open;
  site.introduces = state_[function] == State::New;
  if (site.introduces) visit(function);
  site.target = notes_.nonterminalOf[function];
  sites_[&flow] = site;
}

void Translator::build(uint32_t i, const Flow &body) {
  Draft draft;
  if (i == 0) b_.pushToken(draft); // the start symbol begins with a token
  pushBody(draft, body, /*avoidable=*/false);
  if (draft.items.empty()) b_.push(draft, b_.add({.kind = Kind::Action, .target = i, .value = 1}));
  // After a nonterminal that leaves little its callers would have few tokens, and so before one
  // that can begin with much.
  size_t most = alphabet().size() / 3;
  Lookahead first;
  for (NodeId id : draft.items) first |= g_.at(id).first;
  if (i != 0 && first.count() > most) draft = behindToken(std::move(draft));
  if (draft.forbiddenNext.count() > most) b_.close(draft);
  NodeId root = b_.sequence(std::move(draft));
  g_.nonterminals[i].root = root;
  FATHOM_CHECK(g_.at(root).cost < kFar, "a function that only ends by recursion");
}

/// The same with a token in front.
Draft Translator::behindToken(Draft &&draft) {
  Draft behind;
  b_.pushToken(behind);
  for (NodeId id : draft.items) b_.push(behind, id);
  return behind;
}

/// \param avoidable  Derivations need not go through here.
void Translator::pushBody(Draft &draft, const Flow &sequence, bool avoidable) {
  if (b_.chance(knobs_.dead)) b_.pushDeadBranch(draft);
  size_t last = sequence.children.size();
  while (last > 0 && !calls(sequence.children[last - 1])) last--;
  for (size_t i = 0; i < sequence.children.size(); ++i)
    pushAny(draft, sequence.children[i], avoidable && i + 1 == last);
}

void Translator::pushAny(Draft &draft, const Flow &flow, bool avoidable) {
  switch (flow.kind) {
  case Flow::Statements:
    b_.push(draft, b_.add({.kind = Kind::Action, .target = rng_.next(), .value = flow.value}));
    return;
  case Flow::Call:
  case Flow::Indirect: return pushCall(draft, sites_.at(&flow), avoidable);
  case Flow::Choice: return pushChoice(draft, flow, avoidable);
  case Flow::Loop: {
    Draft body = b_.beginOptional(draft);
    pushBody(body, flow.children[0], /*avoidable=*/true);
    return b_.pushLoop(draft, std::move(body));
  }
  case Flow::Sequence: return pushBody(draft, flow, avoidable);
  }
}

void Translator::pushCall(Draft &draft, const CallSite &site, bool avoidable) {
  pushGuardedCalls(draft);
  if (site.recursive && avoidable) {
    b_.pushToken(draft);
    return b_.pushRecursion(draft, site);
  }
  if (!site.recursive && b_.chance(knobs_.keyed)) return b_.pushKeyed(draft, site, knobs_.keyBytes);
  if (!site.recursive && draft.cost + g_.root(site.target).cost <= kAffordable)
    return b_.push(draft, b_.call(site));
  notes_.guarded++;
  Draft body = b_.beginOptional(draft);
  if (site.recursive)
    b_.pushRecursion(body, site);
  else
    b_.push(body, b_.call(site));
  b_.pushOptional(draft, std::move(body), /*asSwitch=*/false);
}

/// So many call sites behind conditions that never hold as make the wanted share of all sites.
void Translator::pushGuardedCalls(Draft &draft) {
  for (uint32_t sites = b_.sitesFor(knobs_.guarded); sites-- > 0;)
    b_.pushGuardedCall(draft, rng_.below(static_cast<uint32_t>(g_.nonterminals.size())));
}

bool Translator::recursive(const Flow &flow) const {
  auto site = sites_.find(&flow);
  if (site != sites_.end() && site->second.recursive) return true;
  return std::any_of(flow.children.begin(), flow.children.end(),
                     [&](const Flow &child) { return recursive(child); });
}

void Translator::pushChoice(Draft &draft, const Flow &flow, bool avoidable) {
  size_t ways = flow.labels.size();
  std::vector<const Flow *> children;
  for (const Flow &child : flow.children) children.push_back(&child);
  // Recursion rather where it can be left out: which of two ways is tested for is all the same.
  if (flow.lastIsElse && ways == 1 && !flow.isSwitch && recursive(*children[1]) &&
      !recursive(*children[0]) && !children[0]->children.empty())
    std::swap(children[0], children[1]);
  Draft otherwise;
  if (flow.lastIsElse) pushBody(otherwise, *children.back(), avoidable);
  auto elseFirst = [&] {
    Lookahead first;
    bool open = true; // nothing before it has to be there
    for (NodeId id : otherwise.items) {
      if (open) first |= g_.at(id).first;
      open = open && g_.at(id).nullable;
    }
    return first;
  };
  if (!b_.room(draft.forbiddenNext | elseFirst(), ways)) b_.close(draft);
  if (!b_.room(draft.forbiddenNext | elseFirst(), ways))
    otherwise = behindToken(std::move(otherwise));
  Lookahead taken = draft.forbiddenNext | elseFirst();
  Node choice{.kind = Kind::Choice};
  choice.asSwitch = flow.isSwitch;
  size_t spare = b_.left(taken) - ways;
  for (size_t i = 0; i < ways; ++i)
    choice.children.push_back(alternative(*children[i], taken, flow.labels[i], spare));
  choice.optional = otherwise.items.empty();
  choice.lastIsElse = !choice.optional;
  if (choice.lastIsElse) choice.children.push_back(b_.sequence(std::move(otherwise)));
  b_.push(draft, b_.add(std::move(choice)));
}

/// \param spare  Bytes that case labels may take beyond one for each alternative.
NodeId Translator::alternative(const Flow &flow, Lookahead &taken, uint32_t labels, size_t &spare) {
  uint32_t more = static_cast<uint32_t>(std::min<size_t>(labels - 1, spare));
  Draft body;
  b_.push(body, more ? row(taken, more) : b_.token(b_.starter(taken)));
  spare -= more;
  notes_.labels += labels - 1 - more;
  taken |= g_.at(body.items[0]).first;
  pushBody(body, flow, /*avoidable=*/true);
  return b_.sequence(std::move(body));
}

/// A token of `more` bytes beyond the first, all in a row, or as many as there are; `more` says.
NodeId Translator::row(const Lookahead &taken, uint32_t &more) {
  unsigned best = kNone, length = 0;
  for (unsigned at = kRowFirst; at <= kRowLast && length <= more; ++at) {
    unsigned end = at;
    while (end <= kRowLast && !taken.test(end) && end - at <= more) end++;
    if (end - at > length) best = at, length = end - at;
  }
  if (length == 0) {
    more = 0;
    return b_.token(b_.starter(taken));
  }
  more = length - 1;
  return b_.token(static_cast<uint8_t>(best), more);
}

} // namespace

Grammar likeGrammar(const ControlFlow &program, const Knobs &knobs, LikeNotes &notes) {
  return Translator(program, knobs, notes).run();
}

} // namespace fathom::synth
