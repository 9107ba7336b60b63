// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What analysers call their findings, and which bugs of the engine these are.
#ifndef FATHOM_CONFIRM_RULES_H
#define FATHOM_CONFIRM_RULES_H

#include "explore/Results.h"

#include <string>
#include <vector>

namespace fathom::confirm {

/// The kinds of bugs that a rule stands for: one of the engine's names, of Clang's checkers, GCC's
/// warnings, cppcheck's ids, Infer's bug types, or "CWE-416". The message decides where a rule has
/// several kinds of defects. Empty: the engine does not look for such defects.
std::vector<evidence::BugKind> kindsOfRule(const std::string &rule, const std::string &message);

/// Whether the report is about a file that is not closed. The engine does not look for such bugs.
bool isOfOpenFile(const std::string &rule, const std::string &message);

/// The kinds of bugs that a weakness stands for. Its number need not be that of a kind: CWE-121 is
/// a special case of CWE-787.
std::vector<evidence::BugKind> kindsOfCwe(unsigned cwe);

} // namespace fathom::confirm
#endif
