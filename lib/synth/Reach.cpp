// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Reach.h"

#include <deque>

namespace fathom::synth {

namespace {

class Analysis {
public:
  explicit Analysis(const Grammar &g) : g_(g) {
    all_.set();
    reach_.outcomes.assign(g.nodes.size(), 0);
    reach_.failOn.resize(g.nodes.size());
    reach_.entry.resize(g.nonterminals.size());
    reach_.firstCaller.assign(g.nonterminals.size(), kNone);
    reach_.caller.resize(g.nonterminals.size());
    for (auto &row : reach_.caller) row.fill(kNone);
  }
  Reach run();

private:
  void computeFailOn(NodeId id);
  void failOnOfSequence(const Node &n, Lookahead &fail);
  void propagate();
  Lookahead flow(NodeId id, const Lookahead &in);
  Lookahead flowCall(NodeId id, const Lookahead &in);
  Lookahead flowChoice(NodeId id, const Lookahead &in);
  void enter(uint32_t nonterminal, const Lookahead &with, NodeId from);
  void mark(NodeId id, Outcome outcome) { reach_.outcomes[id] |= outcome; }

  const Grammar &g_;
  Lookahead all_;
  Reach reach_;
  std::deque<uint32_t> work_;
  std::vector<NodeId> later_;
  bool recursion_ = false;
  std::vector<char> queued_;
};

Reach Analysis::run() {
  // The lookaheads on which a nonterminal can fail depend on its callees: iterate to a fixpoint.
  // Most callees come after their callers, so the backward order needs few rounds.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto i = static_cast<uint32_t>(g_.nonterminals.size()); i-- > 0;) {
      NodeId root = g_.nonterminals[i].root;
      Lookahead before = reach_.failOn[root];
      computeFailOn(root);
      changed = changed || reach_.failOn[root] != before;
    }
  }
  queued_.assign(g_.nonterminals.size(), 0);
  enter(0, all_, kNone);
  propagate();
  // Recursive calls last: by then every reachable nonterminal was entered from a call that is not
  // recursive, so the inputs that Derive.h makes need one recursive call at most. Recursive calls
  // stand after a token, so any lookahead is possible.
  recursion_ = true;
  for (NodeId call : later_) enter(g_.at(call).target, all_, call);
  propagate();
  return std::move(reach_);
}

void Analysis::propagate() {
  while (!work_.empty()) {
    uint32_t i = work_.front();
    work_.pop_front();
    queued_[i] = 0;
    flow(g_.nonterminals[i].root, reach_.entry[i]);
  }
}

// ---- failing

void Analysis::failOnOfSequence(const Node &n, Lookahead &fail) {
  // `open`: on these lookaheads control is at the child without having consumed anything;
  // `consumed`: on these it has consumed something before, and what follows can be anything.
  Lookahead open = all_, consumed;
  for (NodeId child : n.children) {
    const Node &c = g_.at(child);
    const Lookahead &childFails = reach_.failOn[child];
    fail |= open & childFails;
    if (childFails.any()) fail |= consumed;
    if (c.kind == Kind::Action || c.kind == Kind::Dead) continue;
    const Lookahead &first = c.kind == Kind::Call ? g_.root(c.target).first : c.first;
    bool nullable = c.kind == Kind::Call ? g_.root(c.target).nullable : c.nullable;
    consumed |= open & first;
    open = nullable ? open & ~first : Lookahead();
  }
}

/// Fills failOn of the node and the nodes below it, from what is known of callees so far.
void Analysis::computeFailOn(NodeId id) {
  const Node &n = g_.at(id);
  for (NodeId child : n.children) computeFailOn(child);
  Lookahead fail;
  switch (n.kind) {
  case Kind::Sequence: failOnOfSequence(n, fail); break;
  case Kind::Token:
    if (n.needsCheck) fail = ~n.first;
    break;
  case Kind::Call: fail = reach_.failOn[g_.nonterminals[n.target].root]; break;
  case Kind::Choice:
    for (size_t i = 0; i < n.tested(); ++i)
      fail |= g_.at(n.children[i]).first & reach_.failOn[n.children[i]];
    if (n.lastIsElse)
      fail |= ~g_.testedFirst(n) & reach_.failOn[n.children.back()];
    else if (!n.optional)
      fail |= ~n.first;
    break;
  case Kind::Loop: {
    const Lookahead &body = n.first & reach_.failOn[n.children[0]];
    if (body.any()) fail = n.first; // if not in this iteration, then in the next
    break;
  }
  // Their letter, digit or key may be cut off, and so may what follows it.
  case Kind::Tagged:
  case Kind::Counted:
  case Kind::Keyed:
  case Kind::Use:
  case Kind::Declare: fail = all_; break;
  case Kind::Dead:
  case Kind::Action: break;
  }
  // A recursive call also fails at the limit; but then so can the closing token after it.
  if (g_.returnsErrors(n)) reach_.failOn[id] = fail;
}

// ---- reaching

void Analysis::enter(uint32_t nonterminal, const Lookahead &with, NodeId from) {
  Lookahead added = with & ~reach_.entry[nonterminal];
  if (added.none()) return;
  if (reach_.entry[nonterminal].none()) reach_.firstCaller[nonterminal] = from;
  for (unsigned c = 0; c < 257; ++c)
    if (added.test(c)) reach_.caller[nonterminal][c] = from;
  reach_.entry[nonterminal] |= added;
  if (!queued_[nonterminal]) {
    queued_[nonterminal] = 1;
    work_.push_back(nonterminal);
  }
}

Lookahead Analysis::flowCall(NodeId id, const Lookahead &in) {
  const Node &n = g_.at(id);
  const Node &root = g_.root(n.target);
  mark(id, kPass);
  if (n.recursive) mark(id, kLimit);
  if ((in & reach_.failOn[g_.nonterminals[n.target].root]).any()) mark(id, kFail);
  if (n.recursive && !recursion_)
    later_.push_back(id);
  else
    enter(n.target, in, id);
  Lookahead out;
  if ((in & root.first).any()) out = all_;
  if (root.nullable) out |= in & ~root.first;
  return out;
}

Lookahead Analysis::flowChoice(NodeId id, const Lookahead &in) {
  const Node &n = g_.at(id);
  Lookahead out, others = in & ~g_.testedFirst(n);
  for (size_t i = 0; i < n.tested(); ++i) {
    Lookahead chosen = in & g_.at(n.children[i]).first;
    if (chosen.any()) out |= flow(n.children[i], chosen);
  }
  if (n.lastIsElse) return others.any() ? out | flow(n.children.back(), others) : out;
  if (others.any()) mark(id, kElse);
  return n.optional ? out | others : out;
}

/// Marks what can happen when control comes to the node with the lookaheads `in` (at least one).
/// Returns those with which it leaves it.
Lookahead Analysis::flow(NodeId id, const Lookahead &in) {
  const Node &n = g_.at(id);
  mark(id, kReached);
  switch (n.kind) {
  case Kind::Sequence: {
    Lookahead at = in;
    for (NodeId child : n.children) at = flow(child, at);
    return at;
  }
  case Kind::Token:
    mark(id, kPass);
    if (n.needsCheck && (in & ~n.first).any()) mark(id, kFail);
    return all_;
  case Kind::Call: return flowCall(id, in);
  case Kind::Choice: return flowChoice(id, in);
  case Kind::Loop: {
    // An iteration consumes something, so the loop ends with anything but what would continue it.
    flow(n.children[0], in & n.first);
    mark(id, kElse);
    return ~n.first;
  }
  // These stand after a token: `in` is everything.
  case Kind::Tagged:
    flow(n.children[0], all_);
    for (Outcome o : {kFail, kPass, kCloseFail, kClosePass}) mark(id, o);
    return all_;
  case Kind::Counted:
    flow(n.children[0], g_.at(n.children[0]).first);
    for (Outcome o : {kFail, kPass, kElse, kLimit, kCloseFail, kClosePass}) mark(id, o);
    return ~g_.at(n.children[0]).first;
  case Kind::Keyed:
    flow(n.children[0], all_);
    for (Outcome o : {kFail, kPass, kElse}) mark(id, o);
    return all_;
  case Kind::Use: mark(id, kCloseFail); [[fallthrough]];
  case Kind::Declare: mark(id, kPass), mark(id, kFail); return all_;
  case Kind::Dead:
  case Kind::Action: return in;
  }
  return in;
}

} // namespace

Reach analyseReach(const Grammar &grammar) { return Analysis(grammar).run(); }

} // namespace fathom::synth
