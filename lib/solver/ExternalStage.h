// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries with applications of external operations: a decorator of the stages below it, which know
// nothing of such operations. In this order:
//   1. under the witness: the bytes that the operations depend on keep the values that they have in
//      the witness, so each operation has the results that it has there, and what remains is a
//      query without operations. Only Sat counts: other values were not asked for.
//   2. without meaning: the results of each application are bytes that can be anything. Unsat is
//      real then, whatever the operations do. Sat is one when the operations, executed, happen to
//      give such results; otherwise its model is a seed for
//   3. the fuzz solver, unless the predictor expects it to find nothing. It refutes what has few
//      candidates, by executing all of them. All else that it does not find is Unknown, which no
//      cache keeps.
//
// Seeds are the witness (a model of the path, that is of the branch's other side: spatial
// locality), the model of step 2, and the last models found at the same branch.
//
// Source: [colossus] §3.2.2, §3.3. Departs: the paper drops constraints that mention operations in
// step 1; here they are evaluated. Step 2 and refutation are not in the paper.
#ifndef FATHOM_SOLVER_EXTERNALSTAGE_H
#define FATHOM_SOLVER_EXTERNALSTAGE_H

#include "solver/Conjunction.h"
#include "solver/ExternalOptions.h"
#include "solver/FuzzSolver.h"
#include "solver/Support.h"
#include "solver/UnsatPredictor.h"

#include "expr/ExprContext.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace fathom::solver {

class ExternalStage final : public ConjunctionSolver {
public:
  ExternalStage(expr::ExprContext &context, const ExternalOptions &options,
                std::unique_ptr<FuzzSolver> fuzz, std::unique_ptr<ConjunctionSolver> next,
                const std::atomic<bool> *stop = nullptr)
      : context_(context), options_(options), fuzz_(std::move(fuzz)), next_(std::move(next)),
        stop_(stop), supports_(context), predictor_(options.probe) {
    stats_.name = "external";
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
  const UnsatPredictor::Stats &predictorStats() const { return predictor_.stats(); }

private:
  using Images = std::vector<std::pair<ExprPtr, ExprPtr>>;
  Answer underWitness(const Conjunction &query, std::span<const ExprPtr> applications,
                      StageTimer &timer);
  Answer withUninterpretedResults(const Conjunction &query, std::span<const ExprPtr> applications,
                                  StageTimer &timer);
  /// The next stages' answer to the query with the applications replaced by other arrays. They get
  /// a part of the time: where they are slow (floating point), a search is what finds a model.
  Answer askNext(const Conjunction &query, const Images &images, std::vector<ExprPtr> more,
                 StageTimer &timer);
  bool isExpensiveRefutation(uint64_t candidates) const;
  bool holds(const Conjunction &query, const Model &model);

  expr::ExprContext &context_;
  ExternalOptions options_;
  std::unique_ptr<FuzzSolver> fuzz_;
  std::unique_ptr<ConjunctionSolver> next_;
  const std::atomic<bool> *stop_; // true: the user interrupts; null: no interrupts
  SupportTable supports_;
  UnsatPredictor predictor_;
  std::vector<ExprPtr>
      results_; // symbols for the results of a query's first, second ... application
  /// The last models of each branch.
  struct Recent {
    std::array<Model, 4> models;
    unsigned count = 0;
  };
  std::unordered_map<uint32_t, Recent> recent_; // looked up only
  expr::Evaluator evaluator_;
  uint64_t version_ = 0;
  StageStats stats_, predictorStats_{.name = kPredictorStage}, fuzzStats_{.name = kFuzzStage};
};

} // namespace fathom::solver
#endif
