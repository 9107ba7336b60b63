// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bugs of all parts of a run, as their folders have them.
#ifndef FATHOM_RUN_ALL_RUNBUGS_H
#define FATHOM_RUN_ALL_RUNBUGS_H

#include "run/all/RunAll.h"

namespace fathom::report {
class Dismissals;
} // namespace fathom::report

namespace fathom::run {

/// How many folders of bugs a part has.
uint64_t bugFolders(const std::string &folder, Part part);
struct BugCount {
  uint64_t all = 0, open = 0; ///< open: those that are not dismissed
};
/// Of a part, which may be running. Errors: a bug.json cannot be read.
llvm::Expected<BugCount> countBugs(const std::string &folder, Part part,
                                   const report::Dismissals &dismissals);
/// Fills in `bugs` and `dismissed`: each once. A crash and the same error as the engine saw it are
/// one, if they have the same kind and the same innermost call of the program's own. Errors: as
/// above, and the rest is there.
llvm::Error addBugs(const std::string &folder, const report::Dismissals &dismissals,
                    RunResult &result);

} // namespace fathom::run
#endif
