// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test suites in the exchange format of Test-Comp (D. Beyer, test-format 1.1): metadata.xml and one
// testcase-N.xml per test.
#ifndef FATHOM_REPORT_TESTCOMP_H
#define FATHOM_REPORT_TESTCOMP_H

#include "explore/Results.h"

#include <string>

namespace fathom::report {

struct TestCompMetadata {
  std::string programFile;   ///< as the user named it
  std::string programSha256; ///< of that file; empty when it cannot be read
  std::string creationTime;
  std::string entry = "main";
};
std::string testCompMetadata(const TestCompMetadata &metadata);
/// The values of the test's symbols in order of creation: what a __VERIFIER_nondet_ function
/// returned as a number of its type, other symbols of 1, 2, 4 and 8 bytes as signed numbers, the
/// rest byte by byte.
std::string testCompCase(const explore::TestCase &test, bool coversError);

} // namespace fathom::report
#endif
