// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two things that fathom repair does. Both return the exit status, and throw UsageError.
#ifndef FATHOM_TOOLS_REPAIRMODES_H
#define FATHOM_TOOLS_REPAIRMODES_H

#include "Command.h"

#include "run/repair/RepairRequest.h"

namespace fathom::tool {

struct RepairFlags {
  CommonOptions common;
  std::vector<std::string> programs, tests;
  std::string campaign, rank, at, source, build;
  std::string testTime = "10s", testMemory = "4G", exploreTime = "5s";
  unsigned depth = 4;
  uint64_t most = 1000, keep = 10;
};

/// --at FILE:LINE: makes patches at a place (RepairAt.cpp).
int runAt(const RepairFlags &flags, const run::RepairRequest &request, Context &context);
/// --rank DIR: orders patches that others made (RepairRank.cpp).
int runRank(const RepairFlags &flags, const run::RepairRequest &request, Context &context);

} // namespace fathom::tool
#endif
