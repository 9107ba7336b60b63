// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches a search need not take, because neither side has anything to do with the defect.
//
// Between a branch and the place where its ways meet again (its post-dominator, among the blocks
// from which the function comes back) lies a region. A path can skip it without a decision if the
// region has none of the defect's places and calls nothing that leads to them. Afterwards, the
// registers that it computes and later code reads are unknown, and so are the numbers in memory
// that it may write. Loops that only read, print or compute are such regions.
//
// If a region writes only registers, and these are too narrow for a pointer, skipping it loses no
// behaviour (isExact): a search that skips it can still rule a defect out. Other regions are
// skipped until a path depends on them (Search.h).
//
// Source: [satracer] Sec. III-D eliminates what neither data nor control dependence connects with
// source, sink and steps. Here dependence is found where a path needs it.
#ifndef FATHOM_CONFIRM_SLICE_H
#define FATHOM_CONFIRM_SLICE_H

#include "confirm/CallEffects.h"
#include "confirm/DeadEnds.h"
#include "confirm/Defect.h"
#include "confirm/Forget.h"
#include "confirm/SinkCalls.h"
#include "explore/policy/Policy.h"

#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fathom::confirm {

struct Region {
  uint32_t function = 0;
  uint32_t branch = 0, after = 0;  ///< instructions: what decides, and where the ways meet
  std::vector<uint32_t> callees;   ///< ascending; those that end the program, too
  std::vector<uint32_t> returning; ///< of its calls that come back, the callees, ascending
  std::vector<uint32_t> stores;    ///< lines at which it writes memory itself, ascending
  std::vector<std::pair<uint32_t, uint32_t>> at; ///< its lines and their files, ascending
  /// Slots that it writes and that are read after it, and how many bits each has (at most 64).
  std::vector<std::pair<uint32_t, unsigned>> registers;
  bool isExact = true; ///< skipping it loses no behaviour
};

/// What a region may write, its callees included.
/// REQUIRES: `effects` are those with which regionsToLeaveOut found the region.
Writes writesOf(const Region &region, const CallEffects &effects);

/// All regions of the program's own functions that can be left out, if their callees can. Cost:
/// that of liveness and widths in each function, and nesting of regions times code.
std::vector<Region> regionsToLeaveOut(const program::Program &program, const CallEffects &effects,
                                      const Returns &returns);

/// Whether the region contains one of the places.
bool holds(const program::Program &program, const Region &region, const std::vector<Place> &places);

struct OmittedRegion {
  const Region *region;
  bool isExact; ///< Region::isExact, and none of its callees is related to the defect
};

/// Goes past these regions.
class SkipRegions final : public explore::Policy {
public:
  SkipRegions(const CallEffects &effects, const SinkCalls &sinkCalls,
              std::vector<OmittedRegion> regions, std::set<OmittedSite> executed)
      : effects_(effects), sinkCalls_(sinkCalls), regions_(std::move(regions)),
        executed_(std::move(executed)) {}
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;

private:
  const CallEffects &effects_;
  const SinkCalls &sinkCalls_;
  std::vector<OmittedRegion> regions_; ///< by function and branch
  std::unordered_map<const Region *, Writes> writes_;
  std::set<OmittedSite> executed_;
};

} // namespace fathom::confirm
#endif
