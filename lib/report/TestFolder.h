// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test as a folder, tests/000001/ or bugs/000001/: see docs/results.md for every file and
// field. Written by explore. All tests of a run, wherever they are kept, are read by Tests.h.
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

/// A test read back.
struct StoredTest {
  std::string name; ///< "000001"
  std::string path; ///< of its folder; "": it is in the store (TestStore.h)
  bool isBug = false;
  TestInputs inputs;
  explore::EndKind end = explore::EndKind::Exit;
  int status = 0;
  explore::BranchTrace trace;
  std::string standardOutput, standardError;     ///< as interpreted
  bool usesExternal = false, usesUninit = false; ///< as in explore::TestCase
  std::optional<evidence::BugKind> bugKind;
  std::string bugMessage;
  std::string bug; ///< of a test that ends in a bug: where that is reported, "bugs/000001"
  std::string why; ///< it was kept
  uint64_t pathHash = 0, instructions = 0;
  uint32_t decisions = 0;
  std::vector<explore::SymbolValue> symbols; ///< of a folder only with readWholeTest
  std::string smtLib;                        ///< likewise
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
/// With symbols and path condition, too. Errors: also of test.ktest.
llvm::Expected<StoredTest> readWholeTest(const std::string &path, bool isBug);

/// A test that is in no folder. `arguments` and `environment` as for inputsOf.
StoredTest storedTest(const explore::TestCase &test, const std::string &bug,
                      const std::vector<std::string> &arguments,
                      const std::vector<std::string> &environment);
/// What writeTest makes the same folder of, from a whole test.
explore::TestCase testCaseOf(const StoredTest &test);

/// The contents of its test.ktest. Errors: the file cannot be read.
llvm::Expected<std::string> ktestOf(const StoredTest &test);
/// The files that --seeds takes such a test from: test.ktest and args.json.
llvm::Error writeSeed(const Directory &into, const StoredTest &test);

const char *endName(explore::EndKind end);

} // namespace fathom::report
#endif
