// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of a results folder, put into another folder in a chosen form.
#ifndef FATHOM_REPORT_TESTEXTRACT_H
#define FATHOM_REPORT_TESTEXTRACT_H

#include "report/TestComp.h"
#include "report/Tests.h"
#include "support/NameTable.h"

#include <map>
#include <set>

namespace fathom::report {

enum class TestForm : uint8_t { Folders, KTest, TestComp, Afl, CTest, C };
inline constexpr auto kTestForms = nameTable<TestForm>({{"folders", TestForm::Folders},
                                                        {"ktest", TestForm::KTest},
                                                        {"test-comp", TestForm::TestComp},
                                                        {"afl", TestForm::Afl},
                                                        {"ctest", TestForm::CTest},
                                                        {"c", TestForm::C}});
/// Tests for a project's own suite (RegressionTest.h): of bugs, and into a folder that may have
/// some already.
inline bool isRegression(TestForm form) { return form == TestForm::CTest || form == TestForm::C; }

class TestExtract {
public:
  /// `results`: the folder that tells about the run. Errors: `into` is not empty (of a regression
  /// test: has a CMakeLists.txt that is not ours), or cannot be created.
  static llvm::Expected<TestExtract> create(const std::string &into, TestForm form,
                                            const std::string &results);
  /// 000001/, test000001.ktest, testcase-1.xml or id:000001,src:fathom; of a regression test, its
  /// name. False: the test has no input in this form (leftOut() says why), or is there already.
  /// `test` is whole (TestReader::readWhole).
  llvm::Expected<bool> add(const Tests::Item &item, const StoredTest &test);

  /// From here on, tests are of this folder.
  void use(const std::string &results);
  /// Why tests were left out ("have no exit status"), with how many.
  const std::map<std::string, uint64_t> &leftOut() const { return leftOut_; }
  /// Of the regression tests that were added, those that a build without sanitizers may not show.
  uint64_t needingSanitizers() const { return needingSanitizers_; }

private:
  TestExtract(Directory into, TestForm form) : into_(std::move(into)), form_(form) {}
  llvm::Error prepareRegression();
  llvm::Expected<bool> addRegression(const Tests::Item &item, const StoredTest &test);
  Directory into_;
  TestForm form_;
  TestCompMetadata run_; ///< of the folder in use
  std::map<std::string, uint64_t> leftOut_;
  std::set<std::string> added_; ///< names of regression tests
  uint64_t needingSanitizers_ = 0;
};

} // namespace fathom::report
#endif
