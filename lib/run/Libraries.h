// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared libraries of the host that a run is given with --load.
#ifndef FATHOM_RUN_LIBRARIES_H
#define FATHOM_RUN_LIBRARIES_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// Loads each library once, in a process of its own (where its constructors run), so that a missing
/// one is reported before the run. Errors: a UsageError, whose text begins with `what`.
llvm::Error checkLibraries(const std::string &what, const std::vector<std::string> &libraries);

} // namespace fathom::run
#endif
