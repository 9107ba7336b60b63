// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan --print: the result of one analysis, as text.
#ifndef FATHOM_RUN_SCANPRINT_H
#define FATHOM_RUN_SCANPRINT_H

#include "run/scan/ScanOptions.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

struct Printer;

/// What is printed: "points-to:main" is the points-to sets of main.
struct PrintRequest {
  const Printer *printer = nullptr; ///< not null
  std::string text;                 ///< "points-to"
  std::string function;             ///< empty: all of the program's own
  bool isDetailed = false;          ///< with what only -v shows
};
/// A UsageError where it names no analysis.
llvm::Expected<PrintRequest> printRequest(const std::string &print);
/// The analyses, separated by commas.
std::string printerNames();

struct PrintedAnalysis {
  std::string partial;       ///< what ended it early, one line; "": nothing
  bool isAlwaysTold = false; ///< `partial` is part of the result also where only errors are wanted
  bool isPartial = false;
  std::string text;
};
/// Runs the analysis. A UsageError: the program cannot be read, or lacks what was named.
llvm::Expected<PrintedAnalysis> printAnalysis(const ScanOptions &options,
                                              const PrintRequest &request, Session &session);

} // namespace fathom::run
#endif
