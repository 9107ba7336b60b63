// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search on compiled constraints (the fuzz solver, with a small budget) before an SMT solver is
// asked, for queries of the kinds where that pays: see GuidedStage.cpp. Only Sat counts.
#ifndef FATHOM_SOLVER_GUIDEDSTAGE_H
#define FATHOM_SOLVER_GUIDEDSTAGE_H

#include "solver/Conjunction.h"
#include "solver/FuzzSolver.h"
#include "solver/Isolation.h"
#include "solver/UnsatPredictor.h"

namespace fathom::solver {

class GuidedStage final : public ConjunctionSolver {
public:
  /// `stop` (may be null): becomes true when the user interrupts. `isolation` (may be null):
  /// searches are announced there, and isolated queries are not searched for here.
  /// `hasResourceLimit`: searches end by their evaluations alone.
  GuidedStage(std::unique_ptr<FuzzSolver> fuzz, std::unique_ptr<ConjunctionSolver> next,
              const std::atomic<bool> *stop = nullptr, const Isolation *isolation = nullptr,
              bool hasResourceLimit = false)
      : fuzz_(std::move(fuzz)), next_(std::move(next)), stop_(stop), isolation_(isolation),
        hasResourceLimit_(hasResourceLimit), predictor_(/*probe=*/8) {
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
  const std::atomic<bool> *stop_;
  const Isolation *isolation_;
  bool hasResourceLimit_; ///< evaluations end a search, not the time
  UnsatPredictor predictor_;
  StageStats stats_;
};

} // namespace fathom::solver
#endif
