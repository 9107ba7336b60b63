// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// covered.json of fathom run: for each part, the numbers of the branch sides that it covered, also
// of those that another part covered before. It is written every few seconds, and at the end.
#ifndef FATHOM_RUN_ALL_COVEREDFILE_H
#define FATHOM_RUN_ALL_COVEREDFILE_H

#include "run/all/Parts.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

/// Errors: it cannot be written.
llvm::Error writeCovered(const std::string &folder, const SharedParts &parts);
/// What an earlier session had covered also counts as the beginning of this one (Part::Seeds).
/// Nothing where there is no such file: the session was killed early.
void readCovered(const std::string &folder, SharedParts &parts);

} // namespace fathom::run
#endif
