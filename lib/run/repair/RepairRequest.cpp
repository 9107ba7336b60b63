// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/RepairRequest.h"

#include "run/Failure.h"

#include <fmt/format.h>

namespace fathom::run {

llvm::Error validate(const RepairRequest &request) {
  if (request.at.empty() == request.rank.empty())
    return usageError("give one of --at FILE:LINE, where patches are made, and --rank DIR, a "
                      "folder of patches");
  if (!request.rank.empty() && request.campaign.empty())
    return usageError("--rank: needs --campaign DIR, the results of fathom fuzz --state-samples");
  if (request.depth < 1 || request.depth > 4)
    return usageError(fmt::format("--depth {}: expected 1 to 4", request.depth));
  if (!request.maxCandidates || request.maxCandidates > 10'000)
    return usageError(fmt::format("--most {}: expected 1 to 10000", request.maxCandidates));
  if (!request.keep) return usageError("--keep 0: expected 1 or more");
  if (!request.rank.empty() && request.maxTime.count())
    return usageError("--max-time: only with --at");
  return llvm::Error::success();
}

} // namespace fathom::run
