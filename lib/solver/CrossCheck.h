// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decorator for tests (SolverOptions::crossCheck): asks Z3 about the whole path and goal too,
// evaluates every model on all of it, and ends the process with the query in SMT-LIB syntax when
// something does not fit. Unknown fits everything.
#ifndef FATHOM_SOLVER_CROSSCHECK_H
#define FATHOM_SOLVER_CROSSCHECK_H

#include "solver/Oracle.h"

namespace fathom::solver {

class CrossCheck final : public FeasibilityOracle {
public:
  CrossCheck(std::unique_ptr<FeasibilityOracle> chain, std::unique_ptr<FeasibilityOracle> reference)
      : chain_(std::move(chain)), reference_(std::move(reference)) {}
  Answer check(const Query &query) override;
  std::vector<StageStats> stats() const override { return chain_->stats(); }
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override;
  void dropCaches() override;

private:
  std::unique_ptr<FeasibilityOracle> chain_, reference_;
  expr::Evaluator evaluator_;
  uint64_t modelVersion_ = 0;
};

} // namespace fathom::solver
#endif
