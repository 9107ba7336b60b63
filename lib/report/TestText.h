// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests as `fathom tests` shows them: a line each, one in full, and as JSON.
#ifndef FATHOM_REPORT_TESTTEXT_H
#define FATHOM_REPORT_TESTTEXT_H

#include "report/Tests.h"

#include "llvm/Support/JSON.h"

#include <string>

namespace fathom::report {

/// What the columns of testRow mean, with a newline; as all that follows.
std::string testColumns();
/// Number, how it ended, its exit status, branches, where and why it is kept.
std::string testRow(const Tests::Item &item, const StoredTest &test);
/// Everything of one test, with arguments and data quoted as bash reads them. Long data is cut.
std::string testText(const Tests::Item &item, const StoredTest &test);
/// The fields of testRow and what identifies the path; `whole`: inputs and output, too.
void writeTestJson(llvm::json::OStream &json, const Tests::Item &item, const StoredTest &test,
                   bool whole);

/// As bash reads it: text without blanks as it is, 'text', or $'\x01'.
std::string readableQuote(llvm::StringRef bytes);

} // namespace fathom::report
#endif
