// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions like xfree, which do nothing with their argument but pass it to free: they may save
// errno, count, or look whether the argument is null. Where memory is freed is then the call of
// such a function, for people and for checkers: the free inside is the same for all callers.
#ifndef FATHOM_STATICS_CHECKERS_FREEWRAPPERS_H
#define FATHOM_STATICS_CHECKERS_FREEWRAPPERS_H

#include "statics/front/Facts.h"

#include <vector>

namespace fathom::statics {

struct FreeWrapper {
  uint32_t parameter = kNone;  ///< which is freed; kNone: the function is no wrapper
  StatementId release = kNone; ///< the call inside: of free, or of another wrapper
};

/// By function. A wrapper is short, calls nothing else of the program's own, and its branches only
/// ask whether the argument is null. Cost: O(statements).
std::vector<FreeWrapper> findFreeWrappers(const Facts &facts);

} // namespace fathom::statics
#endif
