// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --seeds DIR: inputs that the user knows.
#ifndef FATHOM_RUN_SEEDFOLDER_H
#define FATHOM_RUN_SEEDFOLDER_H

#include "explore/state/Seeds.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// Says how many there are, and how many were left out. "": none. A UsageError: see
/// report/SeedFiles.h.
llvm::Expected<std::vector<explore::Seed>> seedsIn(const std::string &folder, Session &session);

} // namespace fathom::run
#endif
