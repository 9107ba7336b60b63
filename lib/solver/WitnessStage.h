// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 1: the state's own model. A model of the path satisfies one side of every branch, so that
// side costs an evaluation and no solving; the evaluator's cache makes it a few new nodes.
#ifndef FATHOM_SOLVER_WITNESSSTAGE_H
#define FATHOM_SOLVER_WITNESSSTAGE_H

#include "solver/Conjunction.h"

namespace fathom::solver {

class WitnessStage final : public FeasibilityOracle {
public:
  explicit WitnessStage(std::unique_ptr<FeasibilityOracle> next) : next_(std::move(next)) {
    stats_.name = "witness";
  }
  Answer check(const Query &query) override;
  std::vector<StageStats> stats() const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override { next_->dropCaches(); }

private:
  std::unique_ptr<FeasibilityOracle> next_;
  StageStats stats_;
  expr::Evaluator evaluator_;
};

} // namespace fathom::solver
#endif
