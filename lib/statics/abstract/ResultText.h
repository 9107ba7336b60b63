// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of the abstract interpreter as text and as a list.
#ifndef FATHOM_STATICS_ABSTRACT_RESULTTEXT_H
#define FATHOM_STATICS_ABSTRACT_RESULTTEXT_H

#include "statics/abstract/Analysis.h"

namespace fathom::statics::abstract {

/// One assertion, access or operation of the program, with its verdict.
struct Finding {
  CheckKind kind = CheckKind::Assertion;
  Verdict verdict = Verdict::Unreachable;
  std::string file, function, what;
  uint32_t line = 0, column = 0;
  std::vector<CheckId> checks; ///< more than one: parts of one assertion
};

/// In the order of functions and places. Parts of an assertion are one finding, at the first part.
std::vector<Finding> findingsOf(const AbstractProgram &program, const AnalysisResult &result);

/// What a state knows of the variables of a function that the source names, of memory, and of the
/// relations between them; one fact a line, without repetitions.
std::vector<std::string> factsOf(const AbstractProgram &program, const State &state,
                                 FunctionId function);

/// The states of a function's blocks; needs AnalysisOptions::keepStates.
std::string statesText(const AbstractProgram &program, const AnalysisResult &result,
                       FunctionId function);

} // namespace fathom::statics::abstract
#endif
