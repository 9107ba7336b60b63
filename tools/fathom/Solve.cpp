// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom solve: one SMT-LIB file, decided by the solver chain.
#include "Command.h"

#if __has_include("solver/SmtLibFile.h")
#include "solver/SmtLibFile.h"
#endif

#include <fmt/format.h>

namespace fathom::tool {

Run declareSolve(CLI::App &app) {
  return [](Context &) -> int { throw UsageError("solve: not available yet"); };
}

} // namespace fathom::tool
