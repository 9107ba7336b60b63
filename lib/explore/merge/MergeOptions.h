// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user says of merging.
#ifndef FATHOM_EXPLORE_MERGE_MERGEOPTIONS_H
#define FATHOM_EXPLORE_MERGE_MERGEOPTIONS_H

#include "explore/merge/Region.h"
#include "support/NameTable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::explore {

enum class Merge : uint8_t { None, Cfg, Pattern };
inline constexpr auto kMergeNames =
    nameTable<Merge>({{"none", Merge::None}, {"cfg", Merge::Cfg}, {"pattern", Merge::Pattern}});

struct MergeOptions {
  Merge mode = Merge::None;
  /// FUNCTION or FUNCTION:LINE. A loop within another one of these is merged where that one is
  /// left. Empty: all outermost loops of own functions that call no others with loops.
  std::vector<std::string> at;
  bool explains = false; ///< says on standard error what was merged, and how
  bool checks = false;   ///< asks Z3 about each merge (MergeCheck.h)
  /// Only loops whose conditions depend on a symbolic size, or on a counter of an earlier merge; of
  /// all functions, those of libraries too.
  bool bySize = false;
  /// With patterns: states whose paths have none are merged along the tree. False: they stay as
  /// they are, and a loop that turns out to have none is left.
  bool mergesIrregular = true;
  /// Loops are left whose paths, once merged, are told apart again (MergeBenefit.h). Never those of
  /// `at`, nor marked regions.
  bool leavesVain = true;
  bool incremental = true; ///< with patterns: states that are the same after a round join
  RegionLimits limits;

  bool joinsRounds() const { return mode == Merge::Pattern && incremental; }
  bool asksForBenefit() const { return leavesVain && at.empty(); }
  bool leavesIrregular() const { return mode == Merge::Pattern && !mergesIrregular; }
};

} // namespace fathom::explore
#endif
