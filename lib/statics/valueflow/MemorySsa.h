// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory in static single assignment form ([satracer], Fig. 3; [memory-ssa]).
//
// A statement that may read memory has µs, one that may write it has χs, and where versions meet
// there are φs. What has versions is not a location but a *region*: locations that no statement of
// the function tells apart, because each statement may read or write all of them or none. Regions
// partition what the function and its callees touch, so nothing is lost, and a function that
// touches thousands of locations through its callees has tens of regions.
#ifndef FATHOM_STATICS_VALUEFLOW_MEMORYSSA_H
#define FATHOM_STATICS_VALUEFLOW_MEMORYSSA_H

#include "statics/front/Dominators.h"
#include "statics/pointers/ModRef.h"

#include <span>

namespace fathom::statics {

using RegionId = uint32_t;  ///< within a function
using VersionId = uint32_t; ///< within a function

enum class VersionKind : uint8_t {
  Entry, ///< what the caller left; for variables of the frame: nothing written yet
  Phi,
  Chi,  ///< a statement may write it
  Exit, ///< what the caller gets: a φ over the function's returns
};

struct Version {
  VersionKind kind = VersionKind::Entry;
  bool isStrong = false; ///< Chi: nothing of the earlier version is left
  RegionId region = 0;
  uint32_t at = kNone;        ///< Chi: statement; Phi: block, counted from the function's first
  VersionId previous = kNone; ///< Chi: what was there before
  uint32_t firstOperand = 0, numOperands = 0; ///< Phi, Exit: in MemorySsa::operands
};

/// The memory SSA of one function. Version r is the entry version of region r.
struct MemorySsa {
  std::vector<SetId> regions;
  std::vector<Version> versions;
  std::vector<VersionId> operands;
  struct Use {
    StatementId statement;
    VersionId version;
  };
  std::vector<Use> mus;         ///< by statement, ascending
  std::vector<VersionId> chis;  ///< by statement, ascending
  std::vector<VersionId> exits; ///< one for each region that callers see written

  std::span<const Use> musOf(StatementId statement) const;
  std::span<const VersionId> chisOf(StatementId statement) const;
};

/// Is there at most one such object at any time, and does a store to the location write all of it?
bool isSingleton(const PointsTo &pts, const ModRef &modRef, LocationId location);

/// REQUIRES: the function has a body and is reached.
/// Cost: O(sets of its statements + blocks x regions).
MemorySsa buildMemorySsa(PointsTo &pts, const ModRef &modRef, FunctionId function);

std::string printMemorySsa(const PointsTo &pts, const MemorySsa &ssa, FunctionId function);

} // namespace fathom::statics
#endif
