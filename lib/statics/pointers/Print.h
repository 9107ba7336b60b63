// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points-to sets and the call graph as text, for people and tests.
#ifndef FATHOM_STATICS_POINTERS_PRINT_H
#define FATHOM_STATICS_POINTERS_PRINT_H

#include "statics/pointers/PointsTo.h"

#include <string>

namespace fathom::statics {

/// "{main.x, unknown memory}", in the order of objects.
std::string setText(const PointsTo &pts, const SparseBits &set);
/// One line for each parameter that may be a pointer, and for each access through a pointer.
std::string printPointsTo(const PointsTo &pts, FunctionId function);
/// One line for each call: "cut.c:12: calls a, b".
std::string printCalls(const PointsTo &pts, FunctionId function);
/// What makes results incomplete, in code that can be called: one line each.
std::string printAssumptions(const PointsTo &pts);

} // namespace fathom::statics
#endif
