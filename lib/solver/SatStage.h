// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 5: circuits and a SAT solver (CircuitSolver), up to a number of conflicts. A query that
// takes more has to be simplified rather than searched: it is passed on, as is what there is no
// circuit for.
#ifndef FATHOM_SOLVER_SATSTAGE_H
#define FATHOM_SOLVER_SATSTAGE_H

#include "solver/CircuitSolver.h"

namespace fathom::solver {

class SatStage final : public ConjunctionSolver {
public:
  SatStage(std::shared_ptr<CircuitSolver> solver, CircuitSolver::Effort effort,
           std::unique_ptr<ConjunctionSolver> next)
      : solver_(std::move(solver)), effort_(effort), next_(std::move(next)) {}
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  std::shared_ptr<CircuitSolver> solver_;
  CircuitSolver::Effort effort_;
  std::unique_ptr<ConjunctionSolver> next_;
};

} // namespace fathom::solver
#endif
