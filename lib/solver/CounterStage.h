// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantified queries about counters that can have few values: a case for each value. With a number
// for the counter, forall i <= count. p(i) is a conjunction, a read at the counter has a place, and
// what is left is what a path that was never merged would have asked, which the stages below
// answer at once. The witness's value comes first: most questions that have an answer have one
// there. Bytes that the query alone limits to some values tell which values there are.
//
// Too many cases: the query goes on as it is, to the procedure (QuantifierStage.h), whose cost does
// not depend on how many values there are.
//
// Source: none; [merging23] has only the procedure.
#ifndef FATHOM_SOLVER_COUNTERSTAGE_H
#define FATHOM_SOLVER_COUNTERSTAGE_H

#include "solver/ByteSet.h"
#include "solver/Conjunction.h"
#include "solver/ModelCheck.h"
#include "solver/Support.h"

#include "expr/ExprContext.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fathom::solver {

class CounterStage final : public ConjunctionSolver {
public:
  /// Questions that one query may become.
  static constexpr unsigned kMaxCases = 64;
  CounterStage(expr::ExprContext &context, std::unique_ptr<ConjunctionSolver> next)
      : context_(context), next_(std::move(next)), supports_(context) {
    stats_.name = "counters";
  }
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  class Cases;
  /// A counter with a number for it: what became of the constraints that were seen with it.
  struct Case {
    expr::TermImages images;
    llvm::DenseMap<ExprPtr, std::vector<ExprPtr>> parts; ///< looked up only
  };
  /// The conjuncts of a constraint where the counter is `value`.
  const std::vector<ExprPtr> &partsOf(ExprPtr constraint, Cell counter, uint8_t value);
  /// The values that a constraint on nothing but the counter leaves it; null: it is no such
  /// constraint.
  const ByteSet *valuesBy(ExprPtr constraint, Cell counter);
  /// What a quantified constraint counts to, if that is one byte.
  std::optional<Cell> counterOf(ExprPtr constraint);
  void forget();

  expr::ExprContext &context_;
  std::unique_ptr<ConjunctionSolver> next_;
  SupportTable supports_;
  expr::BatchEvaluator batch_;
  ModelCheck check_;
  std::map<std::pair<Cell, uint8_t>, Case> cases_;           ///< by counter and value
  llvm::DenseMap<ExprPtr, std::unique_ptr<ByteSet>> values_; ///< by constraint; looked up only
  size_t remembered_ = 0;                                    ///< constraints in cases_
  uint64_t collections_ = 0;                                 ///< of the context, when they were
  StageStats stats_;
};

} // namespace fathom::solver
#endif
