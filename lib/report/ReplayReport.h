// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a replay comes to, for people and for programs.
#ifndef FATHOM_REPORT_REPLAYREPORT_H
#define FATHOM_REPORT_REPLAYREPORT_H

#include "report/Replay.h"

namespace fathom::report {

struct ReplayTotals {
  size_t tests = 0, bugs = 0;
  size_t statusCompared = 0, statusDiffers = 0;
  size_t outputCompared = 0, stdoutDiffers = 0, stderrDiffers = 0;
  size_t traceCompared = 0, diverged = 0; ///< tests only, without bugs
  size_t differing = 0;                   ///< tests, without bugs, that differ in anything
  size_t timedOut = 0, bugsReproduced = 0;
  size_t bugsSilent = 0;                        ///< BugVerdict::NoSymptom
  size_t unwritten = 0, unwrittenElsewhere = 0; ///< ReplayedTest::usesUnwritten, tookAnotherWay
  size_t reported = 0; ///< tests, without bugs, of which a sanitizer says something
  size_t sidesCovered = 0, sidesTotal = 0, linesCovered = 0, linesTotal = 0;

  double divergencePercent() const {
    return traceCompared
               ? 100.0 * static_cast<double>(diverged) / static_cast<double>(traceCompared)
               : 0;
  }
};
ReplayTotals totals(const ReplayResult &result, const program::TraceLayout *layout);

std::string replayJson(const ReplayResult &result, const ReplayTotals &totals,
                       const std::string &executable, const program::TraceLayout *layout);
/// \param resultName  of the file that has all of it
/// \param sysroot     where the library is that a harness gets its input from
std::string replayText(const ReplayResult &result, const ReplayTotals &totals,
                       const std::string &program, const std::string &resultName,
                       const program::TraceLayout *layout, const std::string &sysroot);
/// Counts are numbers of tests.
std::string replayLcov(const ReplayResult &result, const program::TraceLayout &layout);

} // namespace fathom::report
#endif
