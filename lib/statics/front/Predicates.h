// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_STATICS_FRONT_PREDICATES_H
#define FATHOM_STATICS_FRONT_PREDICATES_H

#include "statics/front/Facts.h"

namespace fathom::statics {

/// The predicate that holds where this one does not. Other: Other.
Predicate oppositeOf(Predicate predicate);
/// Of `b P a`.
Predicate mirroredOf(Predicate predicate);

/// Orders of two numbers, as a set.
inline constexpr uint8_t kLess = 1, kEqual = 2, kGreater = 4;
inline constexpr uint8_t kAnyOrder = kLess | kEqual | kGreater;
/// The orders in which the predicate holds. Other: any.
uint8_t ordersOf(Predicate predicate);

} // namespace fathom::statics
#endif
