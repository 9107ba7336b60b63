// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared libraries of the host that a run is given with --load.
#ifndef FATHOM_TOOLS_LIBRARIES_H
#define FATHOM_TOOLS_LIBRARIES_H

#include <string>
#include <vector>

namespace fathom::tool {

/// Loads each of them once, so that one that does not exist is an error before the run, not a call
/// without an effect in it. Throws UsageError, which begins with `what`.
void checkLibraries(const std::string &what, const std::vector<std::string> &libraries);

} // namespace fathom::tool
#endif
