// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan --compile-commands: the programs and libraries of a project.
#ifndef FATHOM_TOOLS_SCANDATABASE_H
#define FATHOM_TOOLS_SCANDATABASE_H

#include "ScanFlags.h"

namespace fathom::tool {

/// Builds what the database describes and calls scanOne with flags that name one program, for each
/// or for --target. Returns the greatest exit status. Throws UsageError.
int scanDatabase(const ScanFlags &flags, Context &context,
                 const std::function<int(const ScanFlags &)> &scanOne);

} // namespace fathom::tool
#endif
