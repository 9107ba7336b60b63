// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of bugs as tests that a project keeps in its own suite, with nothing of Fathom: a test
// fails while its bug is there, and passes once it is repaired (docs/results.md).
//
//   ctest  a folder with the input and test.sh for each; one CMakeLists.txt that finds them
//   c      one C file for each, with the input in it
//
// A native program shows a bug by a signal, by a sanitizer's report (which ends it with a status
// that the test chooses), or by not ending.
#ifndef FATHOM_REPORT_REGRESSIONTEST_H
#define FATHOM_REPORT_REGRESSIONTEST_H

#include "report/Sarif.h"
#include "report/TestFolder.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::report {

struct RegressionCase {
  std::string name; ///< of its file or folder; the same in every run that finds this bug
  std::string what; ///< one line for the reader
  TestInputs inputs;
  /// What a fuzz target (LLVMFuzzerTestOneInput) is called with; none: the program has its own
  /// main.
  std::optional<std::string> fuzzed;
  /// test.ktest, for a program that makes objects symbolic itself; "": it makes none.
  std::string ktest;
  /// A build without these (-fsanitize=) may not show the bug; "": every build does.
  std::string sanitizers;
  bool hangs = false, leaks = false; ///< shows by its not ending; shows in a leak report only
  std::optional<int> status;         ///< that it has to end with; none: any
};

/// What a bug's test is called: kind, function and the first digits of its fingerprint.
std::string regressionName(const Finding &bug);

/// Why a native run says nothing about this test: as in "3 need an allocation that fails". "": it
/// does. `entry`: where the exploration started (--entry).
std::string whyNotNative(const StoredTest &test, const std::string &entry);

/// Why the status that a test has to end with could mean something else: as whyNotNative.
/// `isShell`: in the form ctest, whose shell has statuses of its own.
std::string whyAmbiguous(const RegressionCase &test, bool isShell);

/// `test` is whole (TestReader::readWhole). `bug`: null where it is a test without one, `number`
/// its number.
llvm::Expected<RegressionCase> regressionCase(const StoredTest &test, const Finding *bug,
                                              uint64_t number);

/// Writes the files of one folder of the form ctest.
llvm::Error writeRegressionFolder(const Directory &into, const RegressionCase &test);
/// The CMakeLists.txt beside these folders. `program`: a target or file, where the project names
/// none. Its first line is kRegressionHead.
std::string regressionLists(const std::string &program);
inline constexpr const char *kRegressionHead = "# Regression tests that fathom tests has written.";

/// The form c.
std::string regressionSource(const RegressionCase &test);

/// A program with this status, under the options that the test gives to sanitizers, has a report:
/// none that it has to end with.
int sanitizerStatus(const RegressionCase &test);
/// Seconds in which a program has to end that hung.
inline constexpr int kHangSeconds = 10;

} // namespace fathom::report
#endif
