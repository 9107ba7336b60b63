// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search on compiled constraints (the fuzz solver, with a small budget) before an SMT solver is
// asked, for queries of the kinds where that pays: see GuidedStage.cpp. Only Sat counts.
#ifndef FATHOM_SOLVER_GUIDEDSTAGE_H
#define FATHOM_SOLVER_GUIDEDSTAGE_H

#include "solver/Conjunction.h"
#include "solver/FuzzSolver.h"
#include "solver/UnsatPredictor.h"

namespace fathom::solver {

class GuidedStage final : public ConjunctionSolver {
public:
  GuidedStage(std::unique_ptr<FuzzSolver> fuzz, std::unique_ptr<ConjunctionSolver> next)
      : fuzz_(std::move(fuzz)), next_(std::move(next)), predictor_(/*probe=*/8) {
    stats_.name = "guided";
  }
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override { next_->dropCaches(); }

private:
  std::unique_ptr<FuzzSolver> fuzz_;
  std::unique_ptr<ConjunctionSolver> next_;
  UnsatPredictor predictor_;
  StageStats stats_;
};

} // namespace fathom::solver
#endif
