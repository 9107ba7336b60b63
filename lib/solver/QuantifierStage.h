// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries with bounded quantifiers, which the path conditions of merged states have: a decorator of
// the stages below it, which know of none. In this order:
//   1. stripping: each forall i <= n. p(i) becomes what follows from it without quantifiers: p(1)
//      if 1 <= n, and not 1 <= t <= n for each t of which the query says not p(t). Unsat is real
//      then. A model that satisfies the whole query is an answer.
//   2. duplication: what the model gives the byte that p(1) reads, the bytes that p(2) ... p(n) get
//      too.
//   3. repair: where clauses are violated, the p(j) that read the same bytes are added; all else
//      keeps its value but the arrays that quantified clauses read. Duplication again, without
//      those bytes.
//   4. refinement: p(j) is added for each j that the model violates, without fixing anything, until
//      nothing is violated or nothing satisfies what was added. There are as many j as the range,
//      so this ends, and decides.
//
// Forall below other operations (ordinary merges of states that were merged with patterns) are
// expanded first.
//
// Source: [merging23] Sec. 5. Departs: bodies that are conjunctions are taken apart, so that
// stripping finds more t; step 4 is the paper's fallback to an SMT solver's quantifiers, which need
// not answer.
#ifndef FATHOM_SOLVER_QUANTIFIERSTAGE_H
#define FATHOM_SOLVER_QUANTIFIERSTAGE_H

#include "solver/Conjunction.h"
#include "solver/ModelCheck.h"
#include "solver/Support.h"

#include "expr/ExprContext.h"

#include <set>

namespace fathom::solver {

/// How often which step gave the answer.
struct QuantifierStats {
  uint64_t stripped = 0, duplicated = 0, repaired = 0, refined = 0;
  uint64_t undecided = 0;
  uint64_t instances = 0; ///< added by refinement
};

class QuantifierStage final : public ConjunctionSolver {
public:
  struct Options {
    // Tests measure what each of the three is worth.
    bool duplicates = true, repairs = true; ///< steps 2 and 3 (step 3 needs step 2)
    /// Step 1 also adds p(t) for each t at which p reads a byte that another constraint reads.
    bool instantiatesMatches = false;
  };
  QuantifierStage(expr::ExprContext &context, std::unique_ptr<ConjunctionSolver> next,
                  const Options &options)
      : context_(context), next_(std::move(next)), options_(options), supports_(context) {
    stats_.name = "quantifiers";
    refinement_.name = kRefinementStage;
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
  const QuantifierStats &steps() const { return steps_; }

private:
  class Attempt;
  expr::ExprContext &context_;
  std::unique_ptr<ConjunctionSolver> next_;
  Options options_;
  SupportTable supports_;
  QuantifierStats steps_;
  StageStats stats_, refinement_;
};

/// Expands quantifiers and asks the next stages: the oracle that the procedure is compared with.
class ExpansionStage final : public ConjunctionSolver {
public:
  ExpansionStage(expr::ExprContext &context, std::unique_ptr<ConjunctionSolver> next)
      : context_(context), next_(std::move(next)) {}
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override { next_->appendStats(out); }
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override { next_->dropCaches(); }

private:
  expr::ExprContext &context_;
  std::unique_ptr<ConjunctionSolver> next_;
};

} // namespace fathom::solver
#endif
