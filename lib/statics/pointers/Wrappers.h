// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions like xmalloc: what they return is new memory, whoever calls. One object for all callers
// would make everything that a program allocates one thing, so each call gets its own copy of the
// function's constraints. So do calls of functions that return what they get, which xmalloc may
// use to check it: else all that goes in anywhere would come out everywhere.
#ifndef FATHOM_STATICS_POINTERS_WRAPPERS_H
#define FATHOM_STATICS_POINTERS_WRAPPERS_H

#include "statics/front/Facts.h"

#include <vector>

namespace fathom::statics {

/// For each function: it is short, and returns only new memory (from an allocator or another
/// wrapper), null, numbers or its parameters; or it is shorter still and returns its parameters
/// only. Cost: O(statements).
std::vector<bool> allocationWrappers(const Facts &facts);

} // namespace fathom::statics
#endif
