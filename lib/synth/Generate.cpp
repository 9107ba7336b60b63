// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grammars are LL(1) by construction. Nonterminals form a tree (who introduces whom) and are built
// from the leaves to the start symbol, so that what a call can begin with is known where it is
// written. Whatever is appended to a sequence must not begin with a byte that would continue what
// stands before it (`tail`, see Grammar.h); if it does, a closing token goes in between.
//
// Calls that close a cycle go to nonterminals that are not built yet: they stand between an opening
// token and one that is used nowhere else, which makes what they begin and end with irrelevant.
//
// Every nonterminal has a rule that is short to derive: its first one (or only one) calls others
// only where that costs few bytes, or inside of something optional. So every nonterminal is
// productive, and the shortest input that reaches it grows with its depth, not exponentially.
#include "synth/Generate.h"

#include "support/Check.h"
#include "support/Rng.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fathom::synth {

namespace {

constexpr std::string_view kStarters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123";
constexpr std::string_view kClosers = ")]}>;,.:/&";
constexpr char kAfterRecursion = '|';
constexpr char kDeclaration = '@';
/// Bytes that the first rule of a nonterminal may take.
constexpr uint32_t kCheap = 24;

/// A call that a nonterminal has to contain.
struct Obligation {
  uint32_t target = 0;
  bool recursive = false, introduces = false;
  bool keyed = false; ///< behind a key
};

/// A sequence while it grows.
struct Draft {
  std::vector<NodeId> items;
  Lookahead pending; ///< what must not come next
  uint32_t cost = 0;
  bool afterToken = false; ///< its last item is a token
};

class Generator {
public:
  explicit Generator(const Knobs &knobs) : knobs_(knobs), rng_(knobs.seed, /*stream=*/11) {}
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
  void pushDeadBranch(Draft &draft);

  // Nodes.
  NodeId add(Node node);
  NodeId sequence(Draft &&draft);
  NodeId token(uint8_t byte);
  NodeId callNode(const Obligation &call);
  void push(Draft &draft, NodeId id);
  void pushToken(Draft &draft);
  void close(Draft &draft);
  void pushRecursion(Draft &draft, const Obligation &call);
  uint8_t starter(const Lookahead &avoid);
  bool room(const Lookahead &avoid, size_t wanted) const;
  bool chance(double p) { return p > 0 && rng_.next() < p * 4294967296.0; }
  /// What the knob allows, as far as this nonterminal's size goes.
  uint64_t scaled(uint64_t most) const {
    return std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(most) * size_ + 0.5));
  }
  uint64_t rules() const { return scaled(knobs_.rules); }
  uint64_t ruleLength() const { return scaled(knobs_.ruleLength); }
  size_t upTo(uint64_t most) { return 1 + rng_.below(static_cast<uint32_t>(most)); }

  const Knobs &knobs_;
  Rng rng_;
  Grammar g_;
  uint32_t live_ = 0; ///< nonterminals 0 .. live_-1 are reachable
  std::vector<uint32_t> introducer_;
  std::vector<std::vector<Obligation>> obligations_;
  // Of the nonterminal that is being built.
  uint32_t current_ = 0;
  double size_ = 1; ///< in (0, 1]: of what the knobs allow
  bool loopDue_ = false, contextDue_ = false;
  size_t budget_ = 0; ///< nodes that may still be nested: conditionals in conditionals grow fast
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
  link(g_);
  for (NodeId id = 0; id < g_.nodes.size(); ++id) {
    const Node &n = g_.nodes[id];
    // value 1 marks the call that introduces its target until here
    if (n.kind == Kind::Call && n.value) g_.nonterminals[n.target].introducedBy = id;
  }
  return std::move(g_);
}

// ---- who introduces whom

void Generator::plantTree() {
  auto all = static_cast<uint32_t>(knobs_.nonterminals);
  auto lost = static_cast<uint32_t>(static_cast<double>(all) * knobs_.unreachable + 0.5);
  if (knobs_.unreachable > 0 && lost == 0 && all > 1) lost = 1;
  live_ = std::max(1u, all - lost);
  g_.nonterminals.resize(all);
  introducer_.assign(all, kNone);
  obligations_.resize(all);
  auto fanout = static_cast<uint32_t>(knobs_.fanout);
  for (uint32_t i = 0; i < all; ++i) {
    g_.nonterminals[i].name = "N" + std::to_string(i);
    g_.nonterminals[i].intended = i < live_;
    uint32_t base = i < live_ ? 0 : live_, k = i - base;
    if (k == 0 || (base && chance(0.4))) continue; // the start symbol, and roots that nobody calls
    uint32_t even = (k - 1) / fanout;
    introducer_[i] = base + even - rng_.below(even / 4 + 1);
    obligations_[introducer_[i]].push_back({i, false, true});
  }
}

/// The further calls of nonterminal i.
void Generator::plan(uint32_t i) {
  if (chance(knobs_.reuse)) {
    uint32_t callee = randomCallee(i);
    if (callee != kNone) obligations_[i].push_back({callee, false, false});
  }
  if (chance(knobs_.direct)) obligations_[i].push_back({i, true, false});
  if (!chance(knobs_.indirect)) return;
  uint32_t up = i, steps = static_cast<uint32_t>(upTo(knobs_.cycle - 1));
  while (steps-- && introducer_[up] != kNone) up = introducer_[up];
  if (up != i) obligations_[i].push_back({up, true, false});
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
  loopDue_ = chance(knobs_.linear);
  contextDue_ = chance(knobs_.context);
  budget_ = std::max<size_t>(32, 8 * rules() * ruleLength());
  g_.nonterminals[i].root = buildRoot(i, std::move(obligations_[i]));
}

NodeId Generator::buildRoot(uint32_t i, std::vector<Obligation> calls) {
  for (size_t k = calls.size(); k > 1; --k)
    std::swap(calls[k - 1], calls[rng_.below(static_cast<uint32_t>(k))]);
  for (Obligation &call : calls) call.keyed = !call.recursive && chance(knobs_.keyed);
  size_t count = upTo(rules());
  Draft draft;
  if (i == 0) {
    // The start symbol begins with a token, and with the declarations when names are used.
    pushToken(draft);
    if (namesUsed_) {
      Draft body;
      push(body, token(kDeclaration));
      push(body, add({.kind = Kind::Declare}));
      g_.prelude = static_cast<NodeId>(g_.nodes.size() + 1); // summarise() has to know
      Node loop{.kind = Kind::Loop};
      loop.children = {sequence(std::move(body))};
      NodeId id = add(std::move(loop));
      FATHOM_CHECK(id == g_.prelude, "the declarations are not where they were announced");
      push(draft, id);
    }
  }
  if (count == 1)
    buildOnlyRule(i, draft, calls);
  else
    push(draft, buildRules(i, count, calls));
  // What chance has not placed yet.
  if (loopDue_) pushLoop(draft, 0, nullptr);
  if (contextDue_ && i != 0) pushContext(draft, 0);
  loopDue_ = contextDue_ = false;
  // A nonterminal after which little can follow would leave its callers few tokens.
  if (draft.pending.count() > knobs_.tokens / 3) close(draft);
  return sequence(std::move(draft));
}

void Generator::buildOnlyRule(uint32_t i, Draft &draft, std::vector<Obligation> &calls) {
  uint32_t lead = rng_.below(8);
  if (i != 0 && lead < 5) pushToken(draft);
  if (lead == 5 && !calls.empty() && !calls.back().recursive) {
    pushCall(draft, calls.back(), /*first=*/true);
    calls.pop_back();
  }
  pushActions(draft);
  fill(draft, calls, upTo(ruleLength()), 0, /*first=*/true);
  if (draft.items.empty()) pushToken(draft);
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
          room(taken | root.first, rules - r - 1)) {
        push(draft, callNode(mine.back()));
        pushGuardedCalls(draft);
        mine.pop_back();
        called = true;
      }
    }
    if (!called) push(draft, token(starter(taken)));
    taken |= g_.at(draft.items[0]).first;
    pushActions(draft);
    fill(draft, mine, rng_.below(static_cast<uint32_t>(ruleLength())), 0, r == 0);
    choice.children.push_back(sequence(std::move(draft)));
  }
  return add(std::move(choice));
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
  if (depth == 0 && chance(knobs_.dead)) pushDeadBranch(draft);
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
  bool mayNest = depth < knobs_.nesting && budget_ > 8;
  if (loopDue_ && (mayNest || depth == 0) && rng_.below(3) == 0) {
    loopDue_ = depth == 0 ? false : loopDue_;
    return pushLoop(draft, depth, nullptr);
  }
  if (mayNest && chance(knobs_.groups)) return pushConditional(draft, depth);
  pushToken(draft);
}

/// `first`: in a rule that has to be short to derive without it.
void Generator::pushCall(Draft &draft, const Obligation &call, bool first) {
  pushGuardedCalls(draft);
  if (call.recursive) {
    if (first) {
      // The rule that ends recursion: here it must be possible to do without.
      Draft body;
      if (!room(draft.pending, 1)) close(draft);
      push(body, token(starter(draft.pending)));
      pushRecursion(body, call);
      Node choice{.kind = Kind::Choice};
      choice.optional = true, choice.asSwitch = rng_.flip();
      choice.children = {sequence(std::move(body))};
      push(draft, add(std::move(choice)));
    } else {
      pushToken(draft);
      pushRecursion(draft, call);
    }
    return;
  }
  if (call.keyed) {
    if (!draft.afterToken) pushToken(draft);
    Node keyed{.kind = Kind::Keyed};
    uint32_t mask = knobs_.keyBytes == 4 ? UINT32_MAX : (1u << (8 * knobs_.keyBytes)) - 1;
    keyed.value = rng_.next() & mask;
    keyed.factor = rng_.flip() ? 1 : rng_.next() | 1;
    Draft body;
    push(body, callNode(call));
    keyed.children = {sequence(std::move(body))};
    push(draft, add(std::move(keyed)));
    return;
  }
  if (loopDue_ && rng_.flip()) {
    loopDue_ = false;
    return pushLoop(draft, 0, &call);
  }
  if (!first || draft.cost + g_.root(call.target).cost <= kCheap)
    return push(draft, callNode(call));
  Draft body;
  if (!room(draft.pending, 1)) close(draft);
  push(body, token(starter(draft.pending)));
  push(body, callNode(call));
  Node choice{.kind = Kind::Choice};
  choice.optional = true, choice.asSwitch = rng_.flip();
  choice.children = {sequence(std::move(body))};
  push(draft, add(std::move(choice)));
}

/// As many call sites behind conditions that never hold as make the wanted share of all sites.
void Generator::pushGuardedCalls(Draft &draft) {
  double wanted = knobs_.guarded / (1 - knobs_.guarded);
  auto sites = static_cast<unsigned>(wanted);
  if (chance(wanted - sites)) sites++;
  auto all = static_cast<uint32_t>(knobs_.nonterminals);
  while (sites--) {
    bool lost = live_ < all && rng_.flip();
    uint32_t target = lost ? live_ + rng_.below(all - live_) : rng_.below(live_);
    Draft body;
    push(body, add({.kind = Kind::Call, .target = target}));
    Node dead{.kind = Kind::Dead};
    dead.deadCall = true;
    dead.target = rng_.next(), dead.value = rng_.next();
    dead.children = {sequence(std::move(body))};
    push(draft, add(std::move(dead)));
  }
}

void Generator::pushConditional(Draft &draft, unsigned depth) {
  size_t alternatives = upTo(std::min<uint64_t>(rules(), 3));
  if (!room(draft.pending, alternatives)) close(draft);
  Node choice{.kind = Kind::Choice};
  choice.optional = alternatives == 1 || rng_.flip();
  choice.asSwitch = rng_.flip();
  Lookahead taken = draft.pending;
  std::vector<Obligation> none;
  for (size_t a = 0; a < alternatives; ++a) {
    Draft body;
    push(body, token(starter(taken)));
    taken |= g_.at(body.items[0]).first;
    pushActions(body);
    fill(body, none, rng_.below(static_cast<uint32_t>(ruleLength() / 2 + 1)), depth + 1, false);
    choice.children.push_back(sequence(std::move(body)));
  }
  push(draft, add(std::move(choice)));
}

/// { body }, the body beginning with a token or with the call.
void Generator::pushLoop(Draft &draft, unsigned depth, const Obligation *call) {
  Draft body;
  bool leads = false;
  if (call && rng_.flip()) {
    const Node &root = g_.root(call->target);
    leads = !root.nullable && (root.first & (draft.pending | root.tail)).none();
  }
  if (leads) {
    push(body, callNode(*call));
  } else {
    if (!room(draft.pending, 1)) close(draft);
    push(body, token(starter(draft.pending)));
    pushActions(body);
    if (call) push(body, callNode(*call));
  }
  std::vector<Obligation> none;
  fill(body, none, rng_.below(static_cast<uint32_t>(ruleLength() / 2 + 1)), depth + 1, false);
  if ((body.pending & g_.at(body.items[0]).first).any()) close(body);
  Node loop{.kind = Kind::Loop};
  loop.children = {sequence(std::move(body))};
  push(draft, add(std::move(loop)));
}

void Generator::pushContext(Draft &draft, unsigned depth) {
  if (!draft.afterToken) pushToken(draft);
  uint32_t kind = rng_.below(3);
  if (kind == 0) {
    namesUsed_ = namesUsed_ || current_ < live_;
    return push(draft, add({.kind = Kind::Use}));
  }
  std::vector<Obligation> none;
  Draft body;
  push(body, token(starter({})));
  pushActions(body);
  fill(body, none, rng_.below(static_cast<uint32_t>(ruleLength() / 2 + 1)), depth + 1, false);
  if (kind == 1)
    close(body); // the closing letter may be any: nothing may be pending
  else if ((body.pending & g_.at(body.items[0]).first).any())
    close(body);
  Node node{.kind = kind == 1 ? Kind::Tagged : Kind::Counted};
  node.children = {sequence(std::move(body))};
  push(draft, add(std::move(node)));
}

void Generator::pushActions(Draft &draft) {
  // Two numbers always: how long a program is shall not change its grammar.
  uint32_t count = rng_.below(static_cast<uint32_t>(knobs_.statements + 1)), variant = rng_.next();
  if (count) push(draft, add({.kind = Kind::Action, .target = variant, .value = count}));
}

void Generator::pushDeadBranch(Draft &draft) {
  Draft body;
  push(body,
       add({.kind = Kind::Action, .target = rng_.next(), .value = static_cast<uint32_t>(upTo(3))}));
  Node dead{.kind = Kind::Dead};
  dead.target = rng_.next(), dead.value = rng_.next();
  dead.children = {sequence(std::move(body))};
  push(draft, add(std::move(dead)));
}

// ---- nodes

NodeId Generator::add(Node node) {
  auto id = static_cast<NodeId>(g_.nodes.size());
  g_.nodes.push_back(std::move(node));
  if (budget_ && g_.nodes[id].kind != Kind::Action) budget_--;
  // What is never executed is not built yet and matters to nobody: a dead call may go anywhere.
  if (g_.nodes[id].kind == Kind::Call && g_.nonterminals[g_.nodes[id].target].root == kNone &&
      !g_.nodes[id].recursive)
    return id;
  summarise(g_, id);
  return id;
}

NodeId Generator::sequence(Draft &&draft) {
  Node node{.kind = Kind::Sequence};
  node.children = std::move(draft.items);
  return add(std::move(node));
}

NodeId Generator::token(uint8_t byte) { return add({.kind = Kind::Token, .token = byte}); }

NodeId Generator::callNode(const Obligation &call) {
  Node node{.kind = Kind::Call};
  node.recursive = call.recursive;
  node.target = call.target;
  node.value = call.introduces;
  return add(std::move(node));
}

void Generator::push(Draft &draft, NodeId id) {
  const Node &n = g_.at(id);
  if ((n.first & draft.pending).any()) close(draft);
  const Node &node = g_.at(id); // close() may have moved it
  draft.items.push_back(id);
  draft.pending = node.nullable ? draft.pending | node.tail : node.tail;
  draft.cost = std::min(kFar, draft.cost + node.cost);
  bool transparent = node.kind == Kind::Action || node.kind == Kind::Dead;
  draft.afterToken = node.kind == Kind::Token || (transparent && draft.afterToken);
}

void Generator::pushToken(Draft &draft) {
  bool free = room(draft.pending, 1);
  if (!free) return close(draft);
  push(draft, token(starter(draft.pending)));
}

/// A token after which everything can follow.
void Generator::close(Draft &draft) {
  std::array<uint8_t, kClosers.size()> left{};
  uint32_t count = 0;
  for (char closer : kClosers)
    if (auto byte = static_cast<uint8_t>(closer); !draft.pending.test(byte)) left[count++] = byte;
  FATHOM_CHECK(count > 0, "no closing token left");
  push(draft, token(left[rng_.below(count)]));
}

/// Behind an opening token.
void Generator::pushRecursion(Draft &draft, const Obligation &call) {
  push(draft, callNode(call));
  push(draft, token(kAfterRecursion));
}

bool Generator::room(const Lookahead &avoid, size_t wanted) const {
  size_t left = 0;
  for (size_t k = 0; k < knobs_.tokens && left < wanted; ++k)
    left += !avoid.test(static_cast<uint8_t>(kStarters[k]));
  return left >= wanted;
}

uint8_t Generator::starter(const Lookahead &avoid) {
  std::array<uint8_t, kStarters.size()> left{};
  uint32_t count = 0;
  for (size_t k = 0; k < knobs_.tokens; ++k)
    if (auto byte = static_cast<uint8_t>(kStarters[k]); !avoid.test(byte)) left[count++] = byte;
  FATHOM_CHECK(count > 0, "no token left");
  return left[rng_.below(count)];
}

} // namespace

Grammar generateGrammar(const Knobs &knobs) { return Generator(knobs).run(); }

} // namespace fathom::synth
