// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tests execute a line. A test does not store the lines it covers, only a hash of its
// branches: the tests are run natively to find out.
#ifndef FATHOM_RUN_TESTSCOVERING_H
#define FATHOM_RUN_TESTSCOVERING_H

#include "report/Tests.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <chrono>

#include <set>
#include <string>
#include <vector>

namespace fathom::run {

struct CoveringQuery {
  std::string folder;              ///< with results
  std::string program;             ///< "": the one that run.json names
  std::vector<std::string> places; ///< FILE:LINE, at least one; a test has to cover one of them
  uint64_t enough = 0;             ///< ends after so many tests; 0: all that cover
  std::chrono::milliseconds testTime{0}, maxTime{0}; ///< of one test, of all; 0: no bound
  unsigned jobs = 1;
};

/// Numbers of those of `tests` that cover one of the places; the first `enough` ones at least.
/// Warns of tests that could not be run. A UsageError: a place is malformed, or none of the
/// program's lines with code.
llvm::Expected<std::set<uint64_t>>
testsThatCover(const CoveringQuery &query, const std::set<uint64_t> &tests, Session &session);

} // namespace fathom::run
#endif
