// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a native run says about its test: did it end as the engine saw it, and did a bug show
// itself?
#ifndef FATHOM_REPORT_REPLAYJUDGEMENT_H
#define FATHOM_REPORT_REPLAYJUDGEMENT_H

#include "report/Replay.h"
#include "support/SourcePlace.h"

namespace fathom::report {

/// Holds exit status or signal of test.outcome against the test's.
void compareEnd(const StoredTest &stored, ReplayedTest &test);

/// Leaves the test out of the comparison: in memory that was never written, the native program may
/// find other values than those that the test stands for.
void leaveOut(ReplayedTest &test);

/// Judges a test in which the engine has seen no bug, by what sanitizers have written to `errors`.
void noteReports(ReplayedTest &test, const std::string &errors);

/// Of a test that ends in a bug. `errors`: its standard error, and what sanitizers wrote.
/// `isSanitized`: the executable. `stack`: the bug's, to be held against a sanitizer's, or against
/// `lastLine`, the program's line that ran last; where one of them is not known, the kind alone
/// decides. Returns whether it is the run's end that shows the bug, and no report: compareCrash can
/// say more then.
bool judgeBug(const StoredTest &stored, ReplayedTest &test, const std::string &errors,
              bool isSanitized, const std::vector<evidence::StackFrame> &stack = {},
              const std::optional<SourcePlace> &lastLine = std::nullopt);

/// Holds the calls that were active when a build crashed that notes no lines against the bug's.
/// \param tookPath  the run is known to have come by the bug: what it broke may do harm later
void compareCrash(const std::vector<evidence::StackFrame> &calls,
                  const std::vector<evidence::StackFrame> &stack, bool tookPath,
                  ReplayedTest &test);

} // namespace fathom::report
#endif
