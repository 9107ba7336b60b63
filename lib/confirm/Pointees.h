// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls through pointers may call, libc's among them.
#ifndef FATHOM_CONFIRM_POINTEES_H
#define FATHOM_CONFIRM_POINTEES_H

#include "program/Code.h"
#include "statics/pointers/PointsTo.h"

#include <vector>

namespace fathom::confirm {

/// By function.
struct Pointees {
  std::vector<bool> isKnown;
  std::vector<std::vector<uint32_t>> of; ///< ascending; of one that is not known: empty
};

/// Of the program that `pts` was computed of. Linear in its calls and their points-to sets.
///
/// Guarantee: over-approximates what runs call, but for handlers of signals that come from outside:
///            these are no part of a path.
Pointees findPointees(const program::Program &program, const statics::PointsTo &pts);

} // namespace fathom::confirm
#endif
