// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair --rank DIR: patches that others made.
#ifndef FATHOM_TOOLS_REPAIRRANK_H
#define FATHOM_TOOLS_REPAIRRANK_H

#include "RepairProgram.h"

namespace fathom::tool {

int runRank(const RepairFlags &flags, Context &context);

} // namespace fathom::tool
#endif
