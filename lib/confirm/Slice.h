// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches a search need not take, because neither side has anything to do with the defect.
//
// Between a branch and the place where its ways meet again (its post-dominator) lies a region. When
// it writes no memory, computes nothing that is read behind it, calls only what can be skipped
// (CallEffects.h), always comes to its end or does not return, and has none of the defect's places,
// then it changes nothing: a path goes on behind it, without a decision. Loops that only look or
// print are such regions.
//
// Source: [satracer] Sec. III-D eliminates what neither data nor control dependence connects with
// source, sink and steps. What is eliminated here depends on nothing at all, so a path behind it is
// what it would be, and a search that slices still rules a defect out.
#ifndef FATHOM_CONFIRM_SLICE_H
#define FATHOM_CONFIRM_SLICE_H

#include "confirm/CallEffects.h"
#include "confirm/Defect.h"
#include "explore/policy/Policy.h"

#include <vector>

namespace fathom::confirm {

struct Region {
  uint32_t function, branch, after;  ///< instructions: what decides, and where the ways meet
  std::vector<uint32_t> callees;     ///< ascending
  std::vector<program::Location> at; ///< of its instructions
};

/// All regions of the program that change nothing, if their callees can be skipped. Only calls
/// without variables that they write are looked at. Cost: that of liveness in each function.
std::vector<Region> regionsWithoutEffect(const program::Program &program,
                                         const CallEffects &effects);

/// Has the region one of these places?
bool holds(const program::Program &program, const Region &region, const std::vector<Place> &places);

/// Goes past these regions.
class SkipRegions final : public explore::Policy {
public:
  explicit SkipRegions(std::vector<const Region *> regions) : regions_(std::move(regions)) {}
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;

private:
  std::vector<const Region *> regions_; ///< by function and branch
};

} // namespace fathom::confirm
#endif
