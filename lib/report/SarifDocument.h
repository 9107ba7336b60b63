// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all SARIF 2.1.0 documents that Fathom writes have in common: their head, the rule of a kind
// of bug, and how a file is named.
#ifndef FATHOM_REPORT_SARIFDOCUMENT_H
#define FATHOM_REPORT_SARIFDOCUMENT_H

#include "evidence/BugKind.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace fathom::report {

inline constexpr const char *kSarifSchema = "https://json.schemastore.org/sarif-2.1.0.json";
inline constexpr const char *kSarifVersion = "2.1.0";

/// What the one run of a document has.
struct SarifRun {
  llvm::function_ref<void()> rules;   ///< writes the elements of "rules"; null: there are no rules
  llvm::function_ref<void()> members; ///< writes further members of the run; null: none
  llvm::function_ref<void()> results; ///< writes the elements of "results"
};

/// A whole document with one run of Fathom, whose columns count UTF-16 units.
void writeSarif(llvm::json::OStream &json, const SarifRun &run);

/// The rule of a kind, with its CWE. `text`: what it is about.
void writeSarifRule(llvm::json::OStream &json, evidence::BugKind kind, llvm::StringRef text);

/// A path as SARIF wants it: file:// before an absolute one, and %20 for what URIs do not have.
std::string fileUri(const std::string &path);

} // namespace fathom::report
#endif
