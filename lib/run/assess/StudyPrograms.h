// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a study, as users name them.
#ifndef FATHOM_RUN_STUDYPROGRAMS_H
#define FATHOM_RUN_STUDYPROGRAMS_H

#include "assess/Subjects.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// PROGRAM or NAME=PROGRAM.
assess::Request programNamed(const std::string &operand);

/// {"programs": [{"program": "a/b", "name": "b", "arguments": ["@@"], "corpus": "seeds"}, ...]};
/// paths are relative to the file. A UsageError: it is no such file.
llvm::Expected<std::vector<assess::Request>> listedPrograms(const std::string &file);

/// `input`: "@@" (a file, which becomes an argument), "stdin" or "". A UsageError, which begins
/// with `where`: it is none of them.
llvm::Error addInput(assess::Request &request, const std::string &input, const std::string &where);

} // namespace fathom::run
#endif
