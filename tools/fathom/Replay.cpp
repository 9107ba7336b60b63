// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
namespace fathom::tool {
Run declareReplay(CLI::App &app) {
  return [](Context &) -> int { throw UsageError("replay: not available yet"); };
}
} // namespace fathom::tool
