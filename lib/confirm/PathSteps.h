// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A confirmed path for people: the branches it takes.
#ifndef FATHOM_CONFIRM_PATHSTEPS_H
#define FATHOM_CONFIRM_PATHSTEPS_H

#include "confirm/Defect.h"
#include "program/Code.h"

namespace fathom::confirm {

/// So many branches of a path are recorded (ExploreOptions::traceTo); a longer one is told up to
/// there.
inline constexpr uint64_t kTracedBranches = 2000;

struct TracedBranch {
  uint64_t id = 0, side = 0; ///< id: index of Program::branches
};
/// The branches of the program's own code, in order, as far as they were recorded.
std::vector<TracedBranch> tracedBranches(const explore::BranchTrace &trace);

/// The path's branches in the program's own code, in order, those that repeat one after the other
/// (rounds of a loop) once, with their count. REQUIRES: explored with traceTo = kTracedBranches.
std::vector<PathStep> pathSteps(const program::Program &program, const explore::BranchTrace &trace);

} // namespace fathom::confirm
#endif
