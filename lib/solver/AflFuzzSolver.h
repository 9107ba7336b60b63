// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzz solver's back end `afl`, the way of [colossus] §3.3: a query becomes a C program
// (CHarness.h), is compiled with the AFL++ runtime, and afl-fuzz runs until an input reaches the
// end of it or the time is over. Some hundred milliseconds for a query at least; it is there to
// compare with, and for people to look at what is asked.
#ifndef FATHOM_SOLVER_AFLFUZZSOLVER_H
#define FATHOM_SOLVER_AFLFUZZSOLVER_H

#include "expr/ExprContext.h"
#include "solver/FuzzSolver.h"

#include <memory>
#include <string>

namespace fathom::solver {

struct AflFuzzOptions {
  std::string keepHarnesses; ///< A folder for the programs: NNNNNN.c. Empty: they are deleted.
  std::string scratch; ///< For what afl-fuzz writes. Empty: the system's folder for such files.
  uint64_t seed = 1;
};

/// Why it cannot be used on this machine (afl-fuzz, its runtime or clang-19 is missing); "" if it
/// can.
std::string aflFuzzSolverMissing();

/// FuzzBudget::evaluations is not looked at: AFL++ counts time. FuzzStats::searchSeconds is
/// the time from the harness's first execution to the model, both by the harness's clock; compiling
/// and AFL++'s start are compileSeconds.
std::unique_ptr<FuzzSolver> makeAflFuzzSolver(expr::ExprContext &context,
                                              const AflFuzzOptions &options);

} // namespace fathom::solver
#endif
