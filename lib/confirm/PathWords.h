// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a path that shows a defect begins with and assumes, in words.
#ifndef FATHOM_CONFIRM_PATHWORDS_H
#define FATHOM_CONFIRM_PATHWORDS_H

#include "confirm/Defect.h"
#include "explore/Options.h"
#include "program/Code.h"

#include <string>

namespace fathom::confirm {

/// With what a path begins at the function, after "feasible from f".
const char *startText(const program::FunctionCode &f, bool assumes, explore::EntryMemory memory);

/// Which allocations have to fail on the shown path, to follow that; "": none.
std::string failureText(const Finding &shown);

/// Finding::assumed.
std::string assumedText(const program::FunctionCode &f, bool isMain, bool assumes,
                        explore::EntryMemory memory);

} // namespace fathom::confirm
#endif
