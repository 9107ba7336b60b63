// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nonterminals form a tree (each introduces its children) and are built from the leaves to the
// start symbol, so that what a call can begin with is known where it is written; Builder.h makes
// that LL(1).
//
// Every nonterminal has a rule that is short to derive: its first one (or only one) calls others
// only where that costs few bytes, or inside of something optional. So every nonterminal is
// productive, and the shortest input that reaches it grows with its depth, not exponentially.
#include "synth/Generate.h"

#include "synth/Builder.h"

#include "support/Check.h"
#include "support/Rng.h"

#include <algorithm>
#include <cmath>

namespace fathom::synth {

namespace {

constexpr char kDeclaration = '@';
/// Bytes that the first rule of a nonterminal may take.
constexpr uint32_t kCheap = 24;

/// A call that a nonterminal has to contain.
struct Obligation : CallSite {
  bool keyed = false; ///< behind a key
};

class Generator {
public:
  explicit Generator(const Knobs &knobs)
      : knobs_(knobs), rng_(knobs.seed, /*stream=*/11),
        b_(g_, rng_, std::string(kStarters.substr(0, knobs.tokens))) {}
  Grammar run();

private:
  // The tree.
  void plantTree();
  void plan(uint32_t i);
  uint32_t randomCallee(uint32_t caller);

  // Rules.
  void build(uint32_t i);
  NodeId buildRoot(uint32_t i, std::vector<Obligation> calls);
  void buildOnlyRule(uint32_t i, Draft &draft, std::vector<Obligation> &calls);
  NodeId buildRules(uint32_t i, size_t rules, std::vector<Obligation> &calls);
  void fill(Draft &draft, std::vector<Obligation> &calls, size_t length, unsigned depth,
            bool first);
  void pushSymbol(Draft &draft, unsigned depth);
  void pushCall(Draft &draft, const Obligation &call, bool first);
  void pushGuardedCalls(Draft &draft);
  void pushConditional(Draft &draft, unsigned depth);
  void pushLoop(Draft &draft, unsigned depth, const Obligation *call);
  void pushContext(Draft &draft, unsigned depth);
  void pushActions(Draft &draft);

  /// What the knob allows, as far as this nonterminal's size goes.
  uint64_t scaled(uint64_t most) const {
    return std::max<uint64_t>(
        1, static_cast<uint64_t>(std::llround(static_cast<double>(most) * size_)));
  }
  /// A choice takes a token for each rule, and as many may be taken by what precedes it.
  uint64_t rules() const { return scaled(std::min(knobs_.rules, knobs_.tokens / 2)); }
  uint64_t ruleLength() const { return scaled(knobs_.ruleLength); }
  size_t upTo(uint64_t most) { return 1 + rng_.below(static_cast<uint32_t>(most)); }

  const Knobs &knobs_;
  Rng rng_;
  Grammar g_;
  Builder b_;
  uint32_t live_ = 0; ///< nonterminals 0 .. live_-1 are reachable
  std::vector<uint32_t> introducer_;
  std::vector<std::vector<Obligation>> obligations_;
  // State of the nonterminal that is being built:
  uint32_t current_ = 0;
  double size_ = 1; ///< in (0, 1]: of what the knobs allow
  bool loopDue_ = false, contextDue_ = false;
  size_t budget_ =
      0; ///< so many nodes in all, then nothing nests: conditionals in conditionals grow fast
  bool namesUsed_ = false;
};

Grammar Generator::run() {
  g_.limit = static_cast<uint32_t>(knobs_.limit);
  g_.keyBytes = static_cast<uint32_t>(knobs_.keyBytes);
  plantTree();
  auto all = static_cast<uint32_t>(knobs_.nonterminals);
  for (uint32_t i = 0; i < all; ++i) plan(i);
  for (uint32_t i = live_; i-- > 0;) build(i);
  // Those that nothing leads to may call those that are reachable; not the other way round.
  for (uint32_t i = all; i-- > live_;) build(i);
  b_.finish();
  return std::move(g_);
}

// ---- who introduces whom

void Generator::plantTree() {
  auto all = static_cast<uint32_t>(knobs_.nonterminals);
  auto lost = static_cast<uint32_t>(std::llround(static_cast<double>(all) * knobs_.unreachable));
  if (knobs_.unreachable > 0 && lost == 0 && all > 1) lost = 1;
  live_ = std::max(1u, all - lost);
  g_.nonterminals.resize(all);
  introducer_.assign(all, kNone);
  obligations_.resize(all);
  auto fanout = static_cast<uint32_t>(knobs_.fanout);
  for (uint32_t i = 0; i < all; ++i) {
    g_.nonterminals[i].name = "N" + std::to_string(i);
    g_.nonterminals[i].intended = i < live_;
    g_.nonterminals[i].returnsErrors = b_.chance(knobs_.returned);
    uint32_t base = i < live_ ? 0 : live_, k = i - base;
    if (k == 0 || (base && b_.chance(0.4))) continue; // the start symbol, and roots without callers
    uint32_t even = (k - 1) / fanout;
    introducer_[i] = base + even - rng_.below(even / 4 + 1);
    obligations_[introducer_[i]].push_back({{i, false, true}});
  }
}

/// The further calls of nonterminal i.
void Generator::plan(uint32_t i) {
  if (b_.chance(knobs_.reuse)) {
    uint32_t callee = randomCallee(i);
    if (callee != kNone) obligations_[i].push_back({{callee, false, false}});
  }
  if (b_.chance(knobs_.direct)) obligations_[i].push_back({{i, true, false}});
  if (!b_.chance(knobs_.indirect)) return;
  uint32_t up = i, steps = static_cast<uint32_t>(upTo(knobs_.cycle - 1));
  while (steps-- && introducer_[up] != kNone) up = introducer_[up];
  if (up != i) obligations_[i].push_back({{up, true, false}});
}

/// One that is built before `caller`, or kNone.
uint32_t Generator::randomCallee(uint32_t caller) {
  auto all = static_cast<uint32_t>(knobs_.nonterminals);
  if (caller < live_)
    return caller + 1 < live_ ? caller + 1 + rng_.below(live_ - caller - 1) : kNone;
  uint32_t later = all - caller - 1, pick = rng_.below(live_ + later);
  return pick < live_ ? pick : caller + 1 + (pick - live_);
}

// ---- rules

void Generator::build(uint32_t i) {
  current_ = i;
  double u = (rng_.next() + 1.0) / 4294967296.0;
  size_ = 1;
  for (uint64_t k = 0; k < knobs_.skew; ++k) size_ *= u;
  loopDue_ = b_.chance(knobs_.linear);
  contextDue_ = b_.chance(knobs_.context);
  budget_ = b_.structures() + std::max<size_t>(32, 8 * rules() * ruleLength());
  g_.nonterminals[i].root = buildRoot(i, std::move(obligations_[i]));
}

NodeId Generator::buildRoot(uint32_t i, std::vector<Obligation> calls) {
  for (size_t k = calls.size(); k > 1; --k)
    std::swap(calls[k - 1], calls[rng_.below(static_cast<uint32_t>(k))]);
  for (Obligation &call : calls) call.keyed = !call.recursive && b_.chance(knobs_.keyed);
  size_t count = upTo(rules());
  Draft draft;
  if (i == 0) {
    // The start symbol begins with a token, and with the declarations when names are used.
    b_.pushToken(draft);
    if (namesUsed_) {
      Draft body;
      b_.push(body, b_.token(kDeclaration));
      b_.push(body, b_.add({.kind = Kind::Declare}));
      g_.prelude = static_cast<NodeId>(g_.nodes.size() + 1); // summarise() has to know
      Node loop{.kind = Kind::Loop};
      loop.children = {b_.sequence(std::move(body))};
      NodeId id = b_.add(std::move(loop));
      FATHOM_CHECK(id == g_.prelude, "the declarations are not where they were announced");
      b_.push(draft, id);
    }
  }
  if (count == 1)
    buildOnlyRule(i, draft, calls);
  else
    b_.push(draft, buildRules(i, count, calls));
  // What chance has not placed yet.
  if (loopDue_) pushLoop(draft, 0, nullptr);
  if (contextDue_ && i != 0) pushContext(draft, 0);
  loopDue_ = contextDue_ = false;
  // A nonterminal after which little can follow would leave its callers few tokens.
  if (draft.forbiddenNext.count() > knobs_.tokens / 3) b_.close(draft);
  return b_.sequence(std::move(draft));
}

void Generator::buildOnlyRule(uint32_t i, Draft &draft, std::vector<Obligation> &calls) {
  uint32_t lead = rng_.below(8);
  if (i != 0 && lead < 5) b_.pushToken(draft);
  if (lead == 5 && !calls.empty() && !calls.back().recursive) {
    pushCall(draft, calls.back(), /*first=*/true);
    calls.pop_back();
  }
  pushActions(draft);
  fill(draft, calls, upTo(ruleLength()), 0, /*first=*/true);
  if (draft.items.empty()) b_.pushToken(draft);
}

NodeId Generator::buildRules(uint32_t i, size_t rules, std::vector<Obligation> &calls) {
  std::vector<std::vector<Obligation>> shares(rules);
  for (const Obligation &call : calls) {
    // A recursive call as a rule of its own needs another rule that ends the recursion: the first.
    size_t least = call.recursive ? 1 : 0;
    shares[least + rng_.below(static_cast<uint32_t>(rules - least))].push_back(call);
  }
  Node choice{.kind = Kind::Choice};
  choice.asSwitch = rng_.below(3) != 0;
  choice.optional = i != 0 && rng_.below(8) == 0;
  Lookahead taken;
  for (size_t r = 0; r < rules; ++r) {
    Draft draft;
    std::vector<Obligation> &mine = shares[r];
    bool called = false;
    if (!mine.empty() && !mine.back().recursive && !mine.back().keyed && rng_.below(3) == 0) {
      const Node &root = g_.root(mine.back().target);
      bool affordable = r > 0 || root.cost <= kCheap;
      if (!root.nullable && affordable && (root.first & taken).none() &&
          b_.room(taken | root.first, rules - r - 1)) {
        b_.push(draft, b_.call(mine.back()));
        pushGuardedCalls(draft);
        mine.pop_back();
        called = true;
      }
    }
    if (!called) b_.push(draft, b_.token(b_.starter(taken)));
    taken |= g_.at(draft.items[0]).first;
    pushActions(draft);
    fill(draft, mine, rng_.below(static_cast<uint32_t>(ruleLength())), 0, r == 0);
    choice.children.push_back(b_.sequence(std::move(draft)));
  }
  return b_.add(std::move(choice));
}

/// Appends the calls and other symbols, about `length` in all.
void Generator::fill(Draft &draft, std::vector<Obligation> &calls, size_t length, unsigned depth,
                     bool first) {
  // Recursive calls come last (they are taken from the back), and only the last of them may be one
  // that cannot be left out: at the limit control would not get past it, to other calls or to a
  // limit of theirs.
  for (size_t i = 0, recursive = 0; i < calls.size(); ++i)
    if (calls[i].recursive) std::swap(calls[recursive++], calls[i]);
  if (depth == 0 && contextDue_ && current_ != 0 && rng_.flip()) {
    contextDue_ = false;
    pushContext(draft, depth);
  }
  if (depth == 0 && b_.chance(knobs_.dead)) b_.pushDeadBranch(draft);
  size_t others = length > calls.size() ? length - calls.size() : 0;
  while (others || !calls.empty()) {
    bool call = rng_.below(static_cast<uint32_t>(others + calls.size())) < calls.size();
    if (call) {
      bool avoidable = first || (calls.back().recursive && calls.size() > 1);
      pushCall(draft, calls.back(), avoidable);
      calls.pop_back();
    } else {
      pushSymbol(draft, depth);
      others--;
    }
  }
}

void Generator::pushSymbol(Draft &draft, unsigned depth) {
  bool mayNest = depth < knobs_.nesting && b_.structures() + 8 < budget_;
  if (loopDue_ && (mayNest || depth == 0) && rng_.below(3) == 0) {
    loopDue_ = depth == 0 ? false : loopDue_;
    return pushLoop(draft, depth, nullptr);
  }
  if (mayNest && b_.chance(knobs_.groups)) return pushConditional(draft, depth);
  b_.pushToken(draft);
}

/// `first`: in a rule that has to be short to derive without it.
void Generator::pushCall(Draft &draft, const Obligation &call, bool first) {
  pushGuardedCalls(draft);
  if (call.recursive && !first) {
    b_.pushToken(draft);
    return b_.pushRecursion(draft, call);
  }
  if (call.keyed) return b_.pushKeyed(draft, call, knobs_.keyBytes);
  if (!call.recursive && loopDue_ && rng_.flip()) {
    loopDue_ = false;
    return pushLoop(draft, 0, &call);
  }
  if (!call.recursive && (!first || draft.cost + g_.root(call.target).cost <= kCheap))
    return b_.push(draft, b_.call(call));
  // It must be possible to do without.
  Draft body = b_.beginOptional(draft);
  if (call.recursive)
    b_.pushRecursion(body, call);
  else
    b_.push(body, b_.call(call));
  b_.pushOptional(draft, std::move(body), rng_.flip());
}

/// As many call sites behind conditions that never hold as make the wanted share of all sites.
void Generator::pushGuardedCalls(Draft &draft) {
  auto all = static_cast<uint32_t>(knobs_.nonterminals);
  for (uint32_t sites = b_.sitesFor(knobs_.guarded); sites-- > 0;) {
    bool lost = live_ < all && rng_.flip();
    uint32_t target = lost ? live_ + rng_.below(all - live_) : rng_.below(live_);
    b_.pushGuardedCall(draft, target);
  }
}

void Generator::pushConditional(Draft &draft, unsigned depth) {
  size_t alternatives = upTo(std::min<uint64_t>(rules(), 3));
  if (!b_.room(draft.forbiddenNext, alternatives)) b_.close(draft);
  Node choice{.kind = Kind::Choice};
  choice.optional = alternatives == 1 || rng_.flip();
  choice.asSwitch = rng_.flip();
  Lookahead taken = draft.forbiddenNext;
  std::vector<Obligation> none;
  for (size_t a = 0; a < alternatives; ++a) {
    Draft body;
    b_.push(body, b_.token(b_.starter(taken)));
    taken |= g_.at(body.items[0]).first;
    pushActions(body);
    fill(body, none, rng_.below(static_cast<uint32_t>(ruleLength() / 2 + 1)), depth + 1, false);
    choice.children.push_back(b_.sequence(std::move(body)));
  }
  b_.push(draft, b_.add(std::move(choice)));
}

/// { body }, the body beginning with a token or with the call.
void Generator::pushLoop(Draft &draft, unsigned depth, const Obligation *call) {
  Draft body;
  bool leads = false;
  if (call && rng_.flip()) {
    const Node &root = g_.root(call->target);
    leads = !root.nullable && (root.first & (draft.forbiddenNext | root.tail)).none();
  }
  if (leads) {
    b_.push(body, b_.call(*call));
  } else {
    body = b_.beginOptional(draft);
    pushActions(body);
    if (call) b_.push(body, b_.call(*call));
  }
  std::vector<Obligation> none;
  fill(body, none, rng_.below(static_cast<uint32_t>(ruleLength() / 2 + 1)), depth + 1, false);
  b_.pushLoop(draft, std::move(body));
}

void Generator::pushContext(Draft &draft, unsigned depth) {
  if (!draft.afterToken) b_.pushToken(draft);
  uint32_t kind = rng_.below(3);
  if (kind == 0) {
    namesUsed_ = namesUsed_ || current_ < live_;
    return b_.push(draft, b_.add({.kind = Kind::Use}));
  }
  std::vector<Obligation> none;
  Draft body;
  b_.push(body, b_.token(b_.starter({})));
  pushActions(body);
  fill(body, none, rng_.below(static_cast<uint32_t>(ruleLength() / 2 + 1)), depth + 1, false);
  if (kind == 1)
    b_.close(body); // the closing letter may be any, so nothing may be forbidden
  else if ((body.forbiddenNext & g_.at(body.items[0]).first).any())
    b_.close(body);
  Node node{.kind = kind == 1 ? Kind::Tagged : Kind::Counted};
  node.children = {b_.sequence(std::move(body))};
  b_.push(draft, b_.add(std::move(node)));
}

void Generator::pushActions(Draft &draft) {
  // Two numbers always: how long a program is shall not change its grammar.
  uint32_t count = rng_.below(static_cast<uint32_t>(knobs_.statements + 1)), variant = rng_.next();
  if (count) b_.push(draft, b_.add({.kind = Kind::Action, .target = variant, .value = count}));
}

} // namespace

Grammar generateGrammar(const Knobs &knobs) { return Generator(knobs).run(); }

} // namespace fathom::synth
