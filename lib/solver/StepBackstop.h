// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where Z3 counts its steps (SolverOptions::z3ResourceLimit), steps are to end every query, and the
// clock only what they do not end. So this link, the first of the chain, puts deadlines out of
// reach of what steps usually take: the stages above Z3 have budgets of operations and conflicts.
// An answer by the clock is Unknown with Timeout as the reason; Z3's own steps end in
// ResourceLimit.
#ifndef FATHOM_SOLVER_STEPBACKSTOP_H
#define FATHOM_SOLVER_STEPBACKSTOP_H

#include "solver/Oracle.h"

namespace fathom::solver {

class StepBackstop final : public FeasibilityOracle {
public:
  static constexpr int kFactor = 10;
  explicit StepBackstop(std::unique_ptr<FeasibilityOracle> next) : next_(std::move(next)) {}
  Answer check(const Query &query) override {
    Query longer = query;
    longer.timeout *= kFactor;
    return next_->check(longer);
  }
  std::vector<StageStats> stats() const override { return next_->stats(); }
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override { next_->dropCaches(); }

private:
  std::unique_ptr<FeasibilityOracle> next_;
};

} // namespace fathom::solver
#endif
