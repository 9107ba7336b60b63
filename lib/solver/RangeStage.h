// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 2: byte domains, known bits and intervals. Programs that read text compare single bytes
// with constants, and on those this stage is a decision procedure:
//   * a conjunct that the path has, or whose negation it has, is decided;
//   * every conjunct of the goal depends on one byte that the path ties to no other byte: the goal
//   is satisfiable
//     exactly when the byte's domain meets it, and the witness with that byte changed is a model;
//   * otherwise the goal is evaluated over known bits and intervals with the domains as leaves:
//   false is Unsat.
// Everything else is passed on. Sound on both sides; complete on neither.
#ifndef FATHOM_SOLVER_RANGESTAGE_H
#define FATHOM_SOLVER_RANGESTAGE_H

#include "expr/ExprContext.h"
#include "solver/Conjunction.h"
#include "solver/PathIndex.h"

namespace fathom::solver {

class RangeStage final : public FeasibilityOracle {
public:
  RangeStage(expr::ExprContext &context, std::shared_ptr<PathIndex> index,
             std::unique_ptr<FeasibilityOracle> next)
      : context_(context), index_(std::move(index)), next_(std::move(next)) {
    stats_.name = "ranges";
  }
  Answer check(const Query &query) override;
  std::vector<StageStats> stats() const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  /// Sat or Unsat, or Unknown when it takes more than this stage.
  Answer decide(const Query &query);
  bool impossible(ExprPtr conjunct, bool cheapStagesOnly);

  expr::ExprContext &context_;
  std::shared_ptr<PathIndex> index_; // shared with the slicing stage
  std::unique_ptr<FeasibilityOracle> next_;
  StageStats stats_;
};

} // namespace fathom::solver
#endif
