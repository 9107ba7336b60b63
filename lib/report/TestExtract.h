// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of a results folder, put into another folder in a chosen form.
#ifndef FATHOM_REPORT_TESTEXTRACT_H
#define FATHOM_REPORT_TESTEXTRACT_H

#include "report/Tests.h"
#include "support/NameTable.h"

namespace fathom::report {

enum class TestForm : uint8_t { Folders, KTest, TestComp, Afl };
inline constexpr auto kTestForms = nameTable<TestForm>({{"folders", TestForm::Folders},
                                                        {"ktest", TestForm::KTest},
                                                        {"test-comp", TestForm::TestComp},
                                                        {"afl", TestForm::Afl}});

class TestExtract {
public:
  /// `results`: the folder that tells about the run, for Test-Comp's metadata. Errors: `into` is
  /// not empty, or cannot be created.
  static llvm::Expected<TestExtract> create(const std::string &into, TestForm form,
                                            const std::string &results);
  /// 000001/, test000001.ktest, testcase-1.xml or id:000001,src:fathom. False: the test has no
  /// input in this form (afl). `test` is whole (TestReader::readWhole).
  llvm::Expected<bool> add(const Tests::Item &item, const StoredTest &test);

private:
  TestExtract(Directory into, TestForm form) : into_(std::move(into)), form_(form) {}
  Directory into_;
  TestForm form_;
};

} // namespace fathom::report
#endif
