// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzz solver's back end `jit`. A query goes through three tiers, each of which costs more than
// the one before:
//   1. the seeds are evaluated;
//   2. some changes by inversion, evaluated one by one without compiling anything (not with
//   external
//      operations: executing one for a single input costs more than compiling);
//   3. distances as machine code (RowAssessor), and GuidedSearch on it.
#ifndef FATHOM_SOLVER_JITFUZZSOLVER_H
#define FATHOM_SOLVER_JITFUZZSOLVER_H

#include "expr/ExprContext.h"
#include "solver/FuzzSolver.h"

#include <memory>

namespace fathom::solver {

struct JitFuzzOptions {
  uint64_t seed = 1;         ///< Of every random choice.
  unsigned quickRounds = 48; ///< Changes in tier 2; 0: none.
  size_t maxTerms = 30'000;  ///< Larger queries are refused: compiling them would take too long.
  size_t maxRowBytes =
      4096; ///< Queries over more input bytes (and results of operations) are refused.
};

std::unique_ptr<FuzzSolver> makeJitFuzzSolver(expr::ExprContext &context,
                                              const JitFuzzOptions &options = {});

} // namespace fathom::solver
#endif
