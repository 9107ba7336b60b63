// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A_f for program state probability: what the abstract interpreter knows of the variables of a
// check, in the states in which it may fail.
#ifndef FATHOM_RUN_FAILINGREGION_H
#define FATHOM_RUN_FAILINGREGION_H

#include "psp/Region.h"
#include "statics/abstract/Analysis.h"

namespace fathom::run {

/// How many bytes the access of a check touches; absent: no access, or one whose length differs.
std::optional<uint64_t> bytesTouched(const statics::abstract::AbstractProgram &program,
                                     statics::abstract::CheckId check);

/// A region over samples' variables (by name; ids are places in `names`), for one check.
///
/// A name stands for the variables of the abstract program with this name from which the check's
/// condition is computed. One name that is a place in memory, such as `b[i]`, stands for what the
/// condition reads from memory, if that is one read. What a name cannot be matched with is not
/// restricted: the region over-approximates.
psp::Region failingRegion(const statics::abstract::AbstractProgram &program,
                          const statics::abstract::AnalysisResult &result,
                          statics::abstract::CheckId check, const std::vector<std::string> &names);

} // namespace fathom::run
#endif
