// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/GuidedStage.h"

#include "solver/JitFuzzSolver.h"
#include "solver/StageTable.h"

#include "expr/TermVisitor.h"
#include "solver/Deadline.h"

#include <algorithm>

namespace fathom::solver {

/// A few thousand inputs: milliseconds, where what comes next takes tens of them at least. The time
/// is a backstop only, so that answers do not depend on the machine.
static constexpr int kShare = 4; ///< A search gets this part of the query's time at most.
static constexpr FuzzBudget kBudget{.evaluations = 10'000, .time = std::chrono::milliseconds(1000)};

/// Beyond these a search would not come to its first input in its time.
static constexpr size_t kMaxGuidedTerms = 20'000, kMaxConstraints = 1'000;

static bool isTooLarge(std::span<const ExprPtr> constraints) {
  if (constraints.size() > kMaxConstraints) return true;
  size_t terms = 0;
  expr::TermVisitor visitor; // what they share counts once
  for (size_t i = 0; i < constraints.size() && terms <= kMaxGuidedTerms; ++i)
    expr::visitPreOrder(constraints[i], visitor,
                        [&](ExprPtr) { return ++terms <= kMaxGuidedTerms; });
  return terms > kMaxGuidedTerms;
}

Answer GuidedStage::solve(const Conjunction &query) {
  StageTimer timer(stats_);
  const bool hasApplications = std::any_of(query.constraints.begin(), query.constraints.end(),
                                           [](ExprPtr e) { return e->has(expr::kHasApply); });
  const uint64_t hash = hashOf(query);
  const Clock::time_point now = Clock::now();
  // What went wrong before, here or in Z3, is Z3's child's.
  const bool isIsolated = isolation_ && isolation_->isolated.contains(hash);
  if (!hasApplications && !isQuantified(query) && !isIsolated && !isTooLarge(query.constraints) &&
      !Deadline{query.deadline, stop_}.passed() && predictor_.shouldRun(query.branchId)) {
    const Model *seeds[] = {query.witness};
    FuzzBudget budget = kBudget;
    if (hasResourceLimit_) budget.time = kNoTime;
    budget.stop = stop_;
    budget.time =
        std::min(budget.time, std::chrono::duration_cast<std::chrono::milliseconds>(
                                  (query.deadline - now) / (hasResourceLimit_ ? 1 : kShare)));
    QueryHeartbeat announced(isolation_, hash, /*isIsolated=*/false, now + budget.time,
                             query.asksAgain);
    Answer answer = fuzz_->solve(query.constraints, seeds, budget);
    stats_.evaluations = fuzz_->stats().evaluations;
    const bool found = answer.kind == AnswerKind::Sat;
    predictor_.record(query.branchId, found);
    if (found) {
      if (!query.needModel) answer.model = Model();
      return timer.answered(std::move(answer));
    }
  }
  return timer.pass([&] { return next_->solve(query); });
}

void GuidedStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

void putGuidedStage(ChainBuilder &chain) {
  chain.put(std::make_unique<GuidedStage>(
      makeJitFuzzSolver(chain.context, {.seed = chain.options.fuzzSeed}), chain.takeSets(),
      chain.options.stop, chain.options.isolation, chain.options.z3ResourceLimit != 0));
}

} // namespace fathom::solver
