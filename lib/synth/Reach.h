// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which outcomes a program's conditions can have: the truth.
//
// Between two tokens the parser only ever looks at the next byte, so what can happen at a place
// depends on the lookaheads with which control gets there: everything after a token; less where an
// outer choice has looked already. Those sets are computed for every place, exactly: all
// transformations of them distribute over union, and a call of a nonterminal is summarised by the
// lookaheads on which it can fail. In a grammar that is LL(1), control comes to a nonterminal
// that is reachable at least with every byte that it can begin with.
#ifndef FATHOM_SYNTH_REACH_H
#define FATHOM_SYNTH_REACH_H

#include "synth/Grammar.h"

#include <array>
#include <vector>

namespace fathom::synth {

/// What can happen at a node; which of them a kind of node has is said behind them.
enum Outcome : uint8_t {
  kReached = 1,    ///< control gets there (all)
  kFail = 2,       ///< Token, Tagged and Counted (what they begin with), Keyed (too short), Use,
                   ///< Declare: the input is rejected there; Call: the function returns that
  kPass = 4,       ///< the same, not rejected
  kElse = 8,       ///< Choice without `else`: none of the children; Loop, Counted: ends; Keyed:
                   ///< wrong key
  kLimit = 16,     ///< recursive Call: too deep; Counted: the child once too often
  kCloseFail = 32, ///< Tagged: another letter; Counted: the child not often enough; Use: undeclared
  kClosePass = 64, ///< Tagged: the same letter; Counted: as often as said
};

struct Reach {
  std::vector<uint8_t> outcomes;   ///< by node: the possible ones
  std::vector<Lookahead> entry;    ///< by nonterminal: with which lookaheads it is called
  std::vector<Lookahead> failOn;   ///< by node: on which it can fail and its function return
  std::vector<NodeId> firstCaller; ///< by nonterminal: a call site, nearest to the start symbol
  /// By nonterminal and lookahead: the call site from which it came first; kNone.
  std::vector<std::array<NodeId, 257>> caller;

  bool reached(const Grammar &g, uint32_t nonterminal) const {
    return outcomes[g.nonterminals[nonterminal].root] & kReached;
  }
  bool can(NodeId id, Outcome outcome) const { return outcomes[id] & outcome; }
};

/// Guarantee: exact (every outcome that is listed has an input, Derive.h makes it; no other has).
/// Cost:      O(nodes) times a small number of rounds; 1 KB for each nonterminal.
Reach analyseReach(const Grammar &grammar);

} // namespace fathom::synth
#endif
