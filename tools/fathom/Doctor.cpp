// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
namespace fathom::tool {
Run declareDoctor(CLI::App &app) {
  return [](Context &) -> int { throw UsageError("doctor: not available yet"); };
}
} // namespace fathom::tool
