// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared libraries of the host that a run is given with --load.
#ifndef FATHOM_RUN_LIBRARIES_H
#define FATHOM_RUN_LIBRARIES_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// Loads each of them once, so that one that does not exist is an error before the run, not a call
/// without an effect in it. A UsageError, which begins with `what`.
llvm::Error checkLibraries(const std::string &what, const std::vector<std::string> &libraries);

} // namespace fathom::run
#endif
