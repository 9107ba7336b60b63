// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test as a folder, tests/000001/ or bugs/000001/: see docs/results.md for every file and
// field. Written by explore, read by replay.
#ifndef FATHOM_REPORT_TESTFOLDER_H
#define FATHOM_REPORT_TESTFOLDER_H

#include "explore/Results.h"
#include "report/Files.h"

#include <optional>

namespace fathom::report {

/// What a native run of a test is given, in the program's own terms.
struct TestInputs {
  std::vector<std::string> arguments;   ///< argv[0] first
  std::vector<std::string> environment; ///< NAME=VALUE
  std::string standardInput;
  std::vector<std::pair<std::string, std::string>>
      files; ///< name in the working directory, contents
  /// The numbers, from 1 and ascending, of the blocks and mappings that it is not given.
  std::vector<uint32_t> failedAllocations;
};

/// A test read back from its folder.
struct StoredTest {
  std::string name; ///< "000001"
  std::string path;
  bool isBug = false;
  TestInputs inputs;
  explore::EndKind end = explore::EndKind::Exit;
  int status = 0;
  explore::BranchTrace trace;
  std::string standardOutput, standardError;        ///< as interpreted
  bool usesExternal = false, usesUnwritten = false; ///< as in explore::TestCase
  std::optional<explore::BugKind> bugKind;
  std::string bugMessage;
};

/// `arguments` are the concrete ones of the run, for those that the engine did not record as
/// inputs; may be empty.
TestInputs inputsOf(const explore::TestCase &test, const std::vector<std::string> &arguments,
                    const std::vector<std::string> &environment);

/// Writes every file of a test into a new, empty directory. `bug`: where the bug is reported that
/// the path ends in, "bugs/000001"; "": it ends in none, or is that report.
llvm::Error writeTest(const Directory &into, const explore::TestCase &test,
                      const TestInputs &inputs, const std::string &bug = "");

/// Errors name the file and what is wrong with it: missing, not JSON, a field that is missing or of
/// another type.
llvm::Expected<StoredTest> readTest(const std::string &path, bool isBug);

const char *endName(explore::EndKind end);

} // namespace fathom::report
#endif
