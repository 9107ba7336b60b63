// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Chain.h"

#include "solver/WholeStage.h"
#include "solver/WitnessStage.h"
#include "solver/Z3Stage.h"

namespace fathom::solver {

std::string validate(const SolverOptions &options) {
  if (options.z3MemoryMb < 16) return "z3MemoryMb: is " + std::to_string(options.z3MemoryMb) + ", expected at least 16";
  return {};
}

// From the bottom up; a query falls from the top down.  // TOUR(4)
std::unique_ptr<FeasibilityOracle> makeChain(expr::ExprContext &context, const SolverOptions &options) {
  std::unique_ptr<ConjunctionSolver> conjunctions = std::make_unique<Z3Stage>(context, options);
  std::unique_ptr<FeasibilityOracle> chain = std::make_unique<WholeStage>(std::move(conjunctions));
  if (options.witness) chain = std::make_unique<WitnessStage>(std::move(chain));
  return chain;
}

} // namespace fathom::solver
