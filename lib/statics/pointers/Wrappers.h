// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions like xmalloc: every call returns new memory. One object for all callers would merge all
// that a program allocates, so each call gets its own copy of the function's constraints. So do
// calls of functions that return their argument, which xmalloc may use to check its result:
// otherwise each call would return the arguments of all calls.
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
