// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bug as a folder, bugs/000001/: its test (TestFolder.h), bug.json and replay.sh.
#ifndef FATHOM_REPORT_BUGFILE_H
#define FATHOM_REPORT_BUGFILE_H

#include "explore/Results.h"
#include "report/ReplayScript.h"
#include "report/Sarif.h"
#include "report/TestFolder.h"

#include "llvm/Support/Error.h"

namespace fathom::report {

/// bug.json.
std::string bugText(const Finding &finding);
/// Writes every file of a bug into a new, empty directory. `program`: for its replay.sh.
llvm::Error writeBug(const Directory &into, const explore::Bug &bug, const TestInputs &inputs,
                     const Replayable &program, const Identity &identity = {});
/// `path` is the bug's directory. Errors name the file and what is wrong with it.
llvm::Expected<Finding> readFinding(const std::string &path);
/// All of a folder bugs/. What was being written when a run was killed is removed.
llvm::Expected<std::vector<Finding>> readFindings(const Directory &bugs);

} // namespace fathom::report
#endif
