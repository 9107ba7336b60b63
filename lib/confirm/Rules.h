// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What analysers call their findings, and which bugs of the engine these are.
#ifndef FATHOM_CONFIRM_RULES_H
#define FATHOM_CONFIRM_RULES_H

#include "explore/Results.h"

#include <string>
#include <vector>

namespace fathom::confirm {

/// By the rule (the engine's names, Clang's checkers, GCC's warnings, cppcheck's ids, Infer's bug
/// types, CWE-416), and where a rule has several kinds of defects also by the message. Empty: not
/// one that the engine looks for.
std::vector<evidence::BugKind> kindsOfRule(const std::string &rule, const std::string &message);

/// Is it about a file that is not closed? The engine looks for no such bugs.
bool isOfOpenFile(const std::string &rule, const std::string &message);

/// By the number of a weakness, and of those that are a kind of it (CWE-121 is one of CWE-787).
std::vector<evidence::BugKind> kindsOfCwe(unsigned cwe);

} // namespace fathom::confirm
#endif
