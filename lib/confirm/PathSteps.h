// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A confirmed path for people: the branches it takes, and the values it begins with.
#ifndef FATHOM_CONFIRM_PATHSTEPS_H
#define FATHOM_CONFIRM_PATHSTEPS_H

#include "confirm/Defect.h"
#include "program/Code.h"

namespace fathom::confirm {

/// So many branches of a path are recorded (ExploreOptions::traceTo); a longer one is told up to
/// there.
inline constexpr uint64_t kTracedBranches = 2000;

/// The path's branches in the program's own code, in order, those that repeat one after the other
/// (rounds of a loop) once, with their count. REQUIRES: explored with traceTo = kTracedBranches.
std::vector<PathStep> pathSteps(const program::Program &program, const explore::BranchTrace &trace);

/// What was unknown at the path's start and what it is on this path: numbers of up to eight bytes
/// as numbers, objects as their first bytes. At most a dozen: parameters first.
std::vector<std::pair<std::string, std::string>>
pathValues(const std::vector<explore::SymbolValue> &symbols);

} // namespace fathom::confirm
#endif
