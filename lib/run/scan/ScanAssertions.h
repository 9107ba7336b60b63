// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan --assertions: abstract interpretation of a program.
#ifndef FATHOM_RUN_SCANASSERTIONS_H
#define FATHOM_RUN_SCANASSERTIONS_H

#include "run/AnalysisBudget.h"
#include "run/scan/ScanOptions.h"
#include "statics/abstract/ResultText.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace fathom::run {

/// A verdict for every assertion, access and division. Stays where it is: states refer to it.
struct CheckedAssertions {
  CheckedAssertions() = default;
  CheckedAssertions(const CheckedAssertions &) = delete;

  /// What may fail, in the order of places. A finding's checks are those that may fail.
  std::vector<statics::abstract::Finding> alarms() const;
  /// Every check was proved, or is not reached.
  bool isClean() const;

  statics::abstract::AbstractProgram program;
  statics::abstract::AnalysisResult result;
  std::vector<statics::abstract::Finding> findings;
  std::string partial; ///< what is missing, one line; "": nothing
  bool isPartial = false;
};

/// Analyses the program. A UsageError: it cannot be read.
llvm::Expected<std::unique_ptr<CheckedAssertions>> scanAssertions(const ScanOptions &options,
                                                                  Session &session);

/// The states at the starts of blocks, as text.
struct AbstractStates {
  std::string partial, text;
  bool isFound = false; ///< there is such a function
};
/// The states in one function; "": in all of the program's own. `withCode`: also the code that is
/// analysed.
AbstractStates abstractStates(const llvm::Module &module, const ScanOptions &options,
                              const std::string &function, bool withCode, AnalysisBudget &budget,
                              Session &session);

} // namespace fathom::run
#endif
