// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair --at FILE:LINE: patches made at a place.
#ifndef FATHOM_TOOLS_REPAIRAT_H
#define FATHOM_TOOLS_REPAIRAT_H

#include "RepairProgram.h"

namespace fathom::tool {

int runAt(const RepairFlags &flags, Context &context);

} // namespace fathom::tool
#endif
