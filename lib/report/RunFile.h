// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run.json: what was asked for, with what, and how it ended.
#ifndef FATHOM_REPORT_RUNFILE_H
#define FATHOM_REPORT_RUNFILE_H

#include "explore/Explore.h"
#include "report/FolderOptions.h"

#include "llvm/Support/Error.h"

namespace fathom::report {

struct RunTimes { // UTC
  std::string started;
  std::vector<std::string> resumed;
};

/// `result` null: the run goes on.
std::string runText(const FolderOptions &options, const RunTimes &times,
                    const explore::ExploreResult *result);

/// The times of the run in `path`, with now as the last at which it was resumed. Errors: there is
/// none; it was of another program, or with options under which its paths are not ours.
llvm::Expected<RunTimes> checkSameRun(const std::string &path, const FolderOptions &options);

} // namespace fathom::report
#endif
