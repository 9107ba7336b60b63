// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands where slicing stands when slicing is off: hands the whole path and the goal down as
// one conjunction.
#ifndef FATHOM_SOLVER_WHOLESTAGE_H
#define FATHOM_SOLVER_WHOLESTAGE_H

#include "solver/Conjunction.h"

namespace fathom::solver {

class WholeStage final : public FeasibilityOracle {
public:
  explicit WholeStage(std::unique_ptr<ConjunctionSolver> next) : next_(std::move(next)) {}
  Answer check(const Query &query) override;
  std::vector<StageStats> stats() const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override { next_->dropCaches(); }

private:
  std::unique_ptr<ConjunctionSolver> next_;
};

} // namespace fathom::solver
#endif
