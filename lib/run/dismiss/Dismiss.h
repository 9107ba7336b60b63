// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom dismiss: a verdict by hand on a bug or report, in a file that a project commits.
#ifndef FATHOM_RUN_DISMISS_H
#define FATHOM_RUN_DISMISS_H

#include "report/Dismissals.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

struct DismissRequest {
  std::string id;                ///< its first digits (at least kLeastDigits), or a bug's folder
  std::string because;           ///< why it needs no repair
  std::string file;              ///< of dismissals; "": found, or made in the root of the project
  std::vector<std::string> from; ///< results that have it; none: those in the working directory
};

struct DismissDone {
  report::Dismissal dismissal;
  std::string file;    ///< that was written
  std::string before;  ///< why it had been dismissed before; "": it was not
  bool hasCode = true; ///< false: the sources were not found, so it is never reopened
};

inline constexpr size_t kLeastDigits = 4;

/// A UsageError: no result has the id, or several have; results or the file cannot be read.
llvm::Expected<DismissDone> dismiss(const DismissRequest &request, Session &session);
/// Takes the dismissal with this id back. A UsageError: there is none, or there are several.
llvm::Expected<DismissDone> undoDismissal(const std::string &id, const std::string &file);
/// The file's dismissals. A UsageError: it cannot be read.
llvm::Expected<report::Dismissals> listDismissals(const std::string &file);

std::string dismissalsText(const report::Dismissals &dismissals);
std::string dismissalsJson(const report::Dismissals &dismissals);

} // namespace fathom::run
#endif
