// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which numbers a global variable ever holds, where that is said by the stores of the program:
// flags, modes, options. A condition on another number cannot hold, whatever calls lie between.
#ifndef FATHOM_STATICS_FRONT_STOREDNUMBERS_H
#define FATHOM_STATICS_FRONT_STOREDNUMBERS_H

#include "statics/front/Facts.h"

namespace fathom::statics {

/// Fills in Object::numbers of global variables of one integer that are only loaded and stored as a
/// whole, and whose address goes nowhere else. A store of a constant, of one of several constants
/// or of a truth value adds its numbers; more than eight are none. Object::least is filled in where
/// what is stored otherwise is what the variable holds and a constant more.
/// \param visible  variables that other code may write: they have none
/// Cost: O(statements).
void findStoredNumbers(Facts &facts, const std::vector<ObjectId> &visible);

} // namespace fathom::statics
#endif
