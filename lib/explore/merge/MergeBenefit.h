// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops are merged in vain. A merged state stands for several paths of its loop; where the
// code after the loop asks for the number of rounds, or for what was chosen by the way through
// the loop, it is taken apart again, and every question on the way was dearer than that of a path
// that never was merged. So paths that end after a merge are asked: does the path still stand for
// more than one of the loop's paths? Only different ways through the loop count: with depth-first
// search the first paths that end differ in their last decisions and share one way through most
// loops before, which says nothing of the other ways. A loop whose merges were taken apart, most
// of their ways one by one, is left from then on.
//
// This goes beyond [merging23], whose loops are always merged. Query count estimation (Kuznetsov et
// al., PLDI 2012) predicts from the code what is measured here.
#ifndef FATHOM_EXPLORE_MERGE_MERGEBENEFIT_H
#define FATHOM_EXPLORE_MERGE_MERGEBENEFIT_H

#include "explore/state/State.h"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace fathom::explore {

struct Engine;

class MergeBenefit {
public:
  /// Are more paths of the loop to be asked? Then merged states remember what they stand for.
  bool isAsking(uint32_t loop) const;
  /// Most ways through the loop were alone on a path after it: never before kEnoughAlone of them
  /// were, in merges that were taken apart.
  bool isVain(uint32_t loop) const;
  /// The path ended. A query (leavesOnly) for each of its merges that are still asked for, unless
  /// the witness's way is known to be alone; without an answer it is not counted.
  void ended(Engine &engine, State &s);

  struct Tally {
    uint32_t alone = 0;   ///< ways that were alone on a path
    uint32_t apart = 0;   ///< those of merges of which most ways were
    uint32_t shared = 0;  ///< paths that stand for several ways
    uint32_t unknown = 0; ///< questions without an answer
  };
  Tally of(uint32_t loop) const;

private:
  struct Loop {
    Tally tally;
    /// By merge: the ways that were alone. At most kMaxAsked in all.
    std::unordered_map<uint64_t, std::unordered_set<uint64_t>> alone; ///< looked up only
  };
  std::unordered_map<uint32_t, Loop> loops_; ///< looked up only
};

} // namespace fathom::explore
#endif
