// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Witness.h"

namespace fathom::synth {

namespace {

class Maker {
public:
  Maker(const Grammar &g, const Reach &reach, Covered &covered)
      : g_(g), reach_(reach), covered_(covered), deriver_(g, reach) {}
  Witnesses run();

private:
  void tryInput(const std::string &input) {
    (recognise(g_, input, covered_) ? result_.accepted : result_.rejected).push_back(input);
  }
  void cover(NodeId id);
  std::string inputFor(NodeId id, Outcome outcome);
  std::string failingInput(NodeId id);
  std::string tooDeep(NodeId id);

  const Grammar &g_;
  const Reach &reach_;
  Covered &covered_;
  Deriver deriver_;
  Witnesses result_;
};

Witnesses Maker::run() {
  // The parser's entry: nothing at all, a derivation, and something after a derivation.
  std::string shortest = deriver_.shortest(g_.nonterminals[0].root);
  tryInput("");
  tryInput(shortest);
  tryInput(shortest + kNoToken);
  for (NodeId id = 0; id < g_.nodes.size(); ++id)
    if (reach_.can(id, kReached)) cover(id);
  return std::move(result_);
}

void Maker::cover(NodeId id) {
  const Node &n = g_.at(id);
  if (n.kind == Kind::Choice && n.asSwitch)
    for (size_t i = 0; i < n.tested(); ++i)
      for (unsigned byte = 0; byte < kEnd; ++byte)
        if (g_.at(n.children[i]).first.test(byte) && !covered_.labels[id].test(byte)) {
          Surroundings s = deriver_.around(id);
          tryInput(s.before + deriver_.from(n.children[i], byte) + s.after);
        }
  bool complete = true;
  for (uint8_t outcome = kReached; outcome <= kClosePass; outcome <<= 1) {
    if (!(reach_.outcomes[id] & outcome & ~covered_.outcomes[id])) continue;
    tryInput(inputFor(id, static_cast<Outcome>(outcome)));
    complete = complete && covered_.outcomes[id] & outcome;
  }
  if (!complete) result_.missed.push_back(id);
}

/// After a token the input is cut off, or goes on with something that is no token; elsewhere it
/// takes what can come there and is wrong.
std::string Maker::failingInput(NodeId id) {
  const Node &n = g_.at(id);
  if (n.kind == Kind::Call || n.kind == Kind::Choice || n.kind == Kind::Token) {
    Lookahead fails =
        n.kind == Kind::Call ? reach_.failOn[g_.nonterminals[n.target].root] : ~n.first;
    int next = deriver_.arriving(id, ~fails);
    if (next == static_cast<int>(kEnd) && !fails.test(kEnd))
      next = static_cast<int>(deriver_.easiest(fails, id));
    if (next < 0) return "";
    Surroundings s = deriver_.around(id, next);
    if (next == static_cast<int>(kEnd) && n.kind == Kind::Token && id % 2)
      return s.before + kNoToken + s.after; // another token instead of the right one
    return s.before + deriver_.failing(id, static_cast<unsigned>(next));
  }
  Surroundings s = deriver_.around(id);
  return n.kind != Kind::Keyed && id % 2 ? s.before + kNoToken + s.after : s.before;
}

/// Round the cycle until the limit is met.
std::string Maker::tooDeep(NodeId id) {
  std::string input = deriver_.around(id).before;
  std::string round = deriver_.within(g_.at(id).target, id);
  for (uint32_t i = 0; i < g_.limit; ++i) input += round;
  return input;
}

std::string Maker::inputFor(NodeId id, Outcome outcome) {
  const Node &n = g_.at(id);
  if (outcome == kFail || (outcome == kElse && n.kind == Kind::Choice && !n.optional))
    return failingInput(id);
  if (outcome == kLimit && n.kind == Kind::Call) return tooDeep(id);
  if (outcome == kElse && n.kind == Kind::Choice) {
    // Nothing derived here; what follows is seen instead, or the end of the input.
    int next = deriver_.arriving(id, n.first);
    Surroundings s = deriver_.around(id, next);
    return s.before + s.after;
  }
  Surroundings s = deriver_.around(id);
  NodeId child = n.children.empty() ? kNone : n.children[0];
  if (outcome == kLimit) return s.before + "0" + deriver_.shortest(child) + s.after;
  if (outcome == kElse && n.kind == Kind::Counted) return s.before + "0" + s.after;
  if (outcome == kCloseFail && n.kind == Kind::Counted) return s.before + "1" + s.after;
  if (outcome == kCloseFail && n.kind == Kind::Tagged)
    return s.before + "m" + deriver_.shortest(child) + "n" + s.after;
  if (outcome == kCloseFail) return s.before + kUndeclaredName + s.after;
  return s.before + deriver_.shortest(id) + s.after;
}

} // namespace

Witnesses makeWitnesses(const Grammar &grammar, const Reach &reach, Covered &covered) {
  return Maker(grammar, reach, covered).run();
}

} // namespace fathom::synth
