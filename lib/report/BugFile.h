// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bugs/000001/bug.json.
#ifndef FATHOM_REPORT_BUGFILE_H
#define FATHOM_REPORT_BUGFILE_H

#include "explore/Results.h"
#include "report/Sarif.h"

#include "llvm/Support/Error.h"

namespace fathom::report {

std::string bugText(const explore::Bug &bug);
/// `path` is the bug's directory. Errors name the file and what is wrong with it.
llvm::Expected<Finding> readFinding(const std::string &path);

} // namespace fathom::report
#endif
