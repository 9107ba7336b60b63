// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops are merged in vain. A merged state stands for several paths of its loop; where the
// code behind the loop asks for the number of rounds, or for what was chosen by the way through
// the loop, it is taken apart again, and every question on the way was dearer than that of a path
// that never was merged. So the first paths that end behind a loop are asked: does the path still
// stand for more than one of the loop's paths? Where hardly any does, the loop is left from then
// on.
//
// This goes beyond [merging23], whose loops are always merged. Query count estimation (Kuznetsov et
// al., PLDI 2012) predicts from the code what is measured here.
#ifndef FATHOM_EXPLORE_MERGE_MERGEBENEFIT_H
#define FATHOM_EXPLORE_MERGE_MERGEBENEFIT_H

#include "explore/state/State.h"

#include <cstdint>
#include <unordered_map>

namespace fathom::explore {

struct Engine;

class MergeBenefit {
public:
  /// Are more paths of the loop to be asked? Then merged states remember what they stand for.
  bool isAsking(uint32_t loop) const;
  /// Most of its paths stand for one path of the loop each. Never before kAsked of them ended.
  bool isVain(uint32_t loop) const;
  /// The path ended. A query (leavesOnly) for each of its merges that are still asked
  /// for; without an answer it stands for several, and merging goes on.
  void ended(Engine &engine, State &s);

  struct Tally {
    uint32_t alone = 0, shared = 0; ///< paths that stand for one path of the loop, and for several
  };
  Tally of(uint32_t loop) const;

private:
  std::unordered_map<uint32_t, Tally> tallies_; ///< looked up only
};

} // namespace fathom::explore
#endif
