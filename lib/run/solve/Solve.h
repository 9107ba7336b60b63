// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom solve: one SMT-LIB file, decided by the solver chain.
#ifndef FATHOM_RUN_SOLVE_H
#define FATHOM_RUN_SOLVE_H

#include "solver/SmtLibFile.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <string>

namespace fathom::run {

struct SolveRequest {
  std::string file; ///< its assertions are solved together
  solver::SolverOptions solver;
  std::chrono::milliseconds time{60000}; ///< for the whole file
};

/// A UsageError: the file cannot be read, or the options contradict each other.
llvm::Expected<solver::SmtLibAnswer> solve(const SolveRequest &request);

} // namespace fathom::run
#endif
