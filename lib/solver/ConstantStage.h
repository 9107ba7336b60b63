// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a small input (a size, a counter) that the query itself says the value of: they are
// constants in its other constraints. A size with a bound has upper bytes that are 0, and a
// comparison of words with it is one of bytes.
//
// Larger inputs stay as they are: each of their paths fixes other bytes, and replacing them would
// cost more than it saves.
#ifndef FATHOM_SOLVER_CONSTANTSTAGE_H
#define FATHOM_SOLVER_CONSTANTSTAGE_H

#include "expr/ExprContext.h"
#include "solver/Conjunction.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fathom::solver {

class ConstantStage final : public ConjunctionSolver {
public:
  ConstantStage(expr::ExprContext &context, std::unique_ptr<ConjunctionSolver> next)
      : context_(context), next_(std::move(next)) {
    stats_.name = "constants";
  }
  /// Cost beside the stages below: the terms that were not seen with these constants before.
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  using Constants = std::vector<std::pair<ExprPtr, ExprPtr>>; ///< byte, value; by byte
  static Constants constantsOf(const Conjunction &query);
  expr::TermImages &imagesUnder(const Constants &constants);
  /// With constants in place of bytes; a contradiction says from which constraints.
  Answer ask(const Conjunction &query, expr::TermImages &images, const Constants &constants);

  expr::ExprContext &context_;
  std::unique_ptr<ConjunctionSolver> next_;
  std::map<Constants, expr::TermImages> images_;
  uint64_t collections_ = 0; ///< of the context when images_ was begun
  StageStats stats_;
};

} // namespace fathom::solver
#endif
