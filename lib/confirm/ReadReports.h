// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of analysers, read as each tool really writes them: SARIF 2.1.0 (Fathom, Clang, CodeQL,
// Infer, newer GCC), GCC's JSON diagnostics (-fdiagnostics-format=json), and Infer's report.json.
#ifndef FATHOM_CONFIRM_READREPORTS_H
#define FATHOM_CONFIRM_READREPORTS_H

#include "confirm/Defect.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace fathom::confirm {

/// A document with the place of each defect in it, so that it can be written back with verdicts.
struct Reports {
  std::vector<Defect> defects;
  llvm::json::Value document = nullptr; ///< as it was read
  /// Of defects[i], in SARIF: runs[run].results[result].
  struct Origin {
    size_t run = 0, result = 0;
  };
  std::vector<Origin> origins;
  bool isSarif = false;
};

/// The form is told by the contents. Errors name the file and what is wrong with it: it cannot be
/// read, is not JSON, is SARIF of another version, or is none of the forms.
llvm::Expected<Reports> readReports(const std::string &path);

} // namespace fathom::confirm
#endif
