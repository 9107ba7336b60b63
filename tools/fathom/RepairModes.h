// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two things that fathom repair does. Both return the exit status, and throw UsageError.
#ifndef FATHOM_TOOLS_REPAIRMODES_H
#define FATHOM_TOOLS_REPAIRMODES_H

#include "RepairProgram.h"

namespace fathom::tool {

/// --at FILE:LINE: makes patches at a place (RepairAt.cpp).
int runAt(const RepairFlags &flags, Context &context);
/// --rank DIR: orders patches that others made (RepairRank.cpp).
int runRank(const RepairFlags &flags, Context &context);

} // namespace fathom::tool
#endif
