// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges a test by its native run: did it end as the engine predicted, and did the bug show?
#ifndef FATHOM_REPORT_REPLAYJUDGEMENT_H
#define FATHOM_REPORT_REPLAYJUDGEMENT_H

#include "report/Replay.h"
#include "support/SourcePlace.h"

namespace fathom::report {

/// Compares the exit status or signal of test.outcome with the test's.
void compareEnd(const StoredTest &stored, ReplayedTest &test);

/// Leaves the test out of the comparison: in memory that was never written, the native program may
/// find other values than those that the test stands for.
void leaveOut(ReplayedTest &test);

/// Judges a test in which the engine has seen no bug, by what sanitizers have written to `errors`.
void noteReports(ReplayedTest &test, const std::string &errors);

/// Judges a test that ends in a bug. `errors`: its standard error, and what sanitizers wrote.
/// `isSanitized`: the executable is. `stack`: the bug's, which is compared with a sanitizer's, or
/// with `lastLine`, the program's line that ran last; if one of them is unknown, the kind alone
/// decides. Returns true if the run's end shows the bug, and no report does: then compareCrash can
/// say more.
bool judgeBug(const StoredTest &stored, ReplayedTest &test, const std::string &errors,
              bool isSanitized, const std::vector<evidence::StackFrame> &stack = {},
              const std::optional<SourcePlace> &lastLine = std::nullopt);

/// For a build that notes no lines: compares the calls that were active at the crash with the
/// bug's.
/// \param tookPath  the run is known to have passed the bug's place, so a later crash may be its
/// effect
void compareCrash(const std::vector<evidence::StackFrame> &calls,
                  const std::vector<evidence::StackFrame> &stack, bool tookPath,
                  ReplayedTest &test);

} // namespace fathom::report
#endif
