// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Around the stages that do not know what external operations give: what they leave unknown, of
// constraints with applications (Kind::Apply), is searched for by executing the operations. A
// search that finds nothing is Unknown.
#ifndef FATHOM_SOLVER_APPLICATIONSTAGE_H
#define FATHOM_SOLVER_APPLICATIONSTAGE_H

#include "solver/Conjunction.h"
#include "solver/Support.h"

namespace fathom::solver {

class ApplicationStage final : public ConjunctionSolver {
public:
  ApplicationStage(const expr::ExprContext &context, std::unique_ptr<ConjunctionSolver> next)
      : context_(context), supports_(context), next_(std::move(next)) {
    stats_.name = "applications";
  }
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override {
    supports_.clear();
    next_->dropCaches();
  }

private:
  /// How many constraints hold, the last ones (the goal) first: more is better.
  size_t satisfied(const Conjunction &query, const Model &model);

  const expr::ExprContext &context_;
  SupportTable supports_;
  std::unique_ptr<ConjunctionSolver> next_;
  expr::Evaluator evaluator_;
  uint64_t modelVersion_ = uint64_t(1) << 61;
  StageStats stats_;
};

} // namespace fathom::solver
#endif
