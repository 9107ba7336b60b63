// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of merged loops for which a path leaves only one value. Once a decision after a loop
// has fixed its number of rounds, the path stands for one path of the loop. Its quantified
// conditions then are conjunctions, as if the loop had not been merged. This class replaces them by
// these in the path condition. So they no longer connect all bytes of the input, and later queries
// are as cheap as on an unmerged path.
//
// Source: none; [merging23] keeps the quantified condition.
#ifndef FATHOM_EXPLORE_MERGE_KNOWNCOUNTERS_H
#define FATHOM_EXPLORE_MERGE_KNOWNCOUNTERS_H

#include "explore/state/State.h"
#include "solver/Support.h"

#include <optional>

namespace fathom::explore {

struct Engine;

/// The counter has the value that it has in the state's witness.
ExprPtr hasWitnessValue(Engine &engine, State &s, ExprPtr counter);
/// Does the path condition imply the condition, which its witness fulfils? Costs a query with a
/// negligible share of time; nullopt: without an answer.
std::optional<bool> leavesOnly(Engine &engine, const State &s, ExprPtr condition);

class KnownCounters {
public:
  /// The path has decided something outside of loops that are being merged: a query for each
  /// counter that the decision depends on, and O(path condition) for one that has its value now.
  void decided(Engine &engine, State &s, const Decision &decision);

private:
  bool dependsOn(Engine &engine, ExprPtr condition, ExprPtr counter);
  std::optional<solver::SupportTable> supports_;
};

} // namespace fathom::explore
#endif
