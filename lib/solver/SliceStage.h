// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 3a: independence. Only the constraints that share input bytes with the goal, directly or
// through others, can matter; a model of those is completed with the witness for all other bytes.
// Without a witness every component of the path has to be solved too, one by one (cheap when they
// are in the cache).
#ifndef FATHOM_SOLVER_SLICESTAGE_H
#define FATHOM_SOLVER_SLICESTAGE_H

#include "solver/Conjunction.h"
#include "solver/PathIndex.h"

namespace fathom::solver {

class SliceStage final : public FeasibilityOracle {
public:
  SliceStage(std::shared_ptr<PathIndex> index, std::unique_ptr<ConjunctionSolver> next)
      : index_(std::move(index)), next_(std::move(next)) {
    stats_.name = "slicing";
  }
  Answer check(const Query &query) override;
  std::vector<StageStats> stats() const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  Answer solve(const Query &query, StageTimer &timer, bool &dependsOnExternalResults);
  Answer solveComponent(const Query &query, Clock::time_point deadline, StageTimer &timer,
                        std::span<const ConstraintInfo *const> constraints, Model &model);

  std::shared_ptr<PathIndex> index_;
  std::unique_ptr<ConjunctionSolver> next_;
  StageStats stats_;
};

} // namespace fathom::solver
#endif
