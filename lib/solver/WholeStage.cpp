// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/WholeStage.h"

#include "solver/Support.h"

#include <algorithm>

namespace fathom::solver {

Answer WholeStage::check(const Query &query) {
  if (query.cheapStagesOnly) return Answer::unknown("not asked");
  std::vector<ExprPtr> all = query.path.constraints(), goal;
  flattenConjunction(query.goal, goal);
  all.insert(all.end(), goal.begin(), goal.end());
  for (ExprPtr e : all)
    if (e->isFalse()) return Answer::unsat();
  Answer answer = next_->solve({.constraints = all,
                                .deadline = Clock::now() + query.timeout,
                                .branchId = query.branchId,
                                .needModel = query.needModel,
                                .witness = query.witness,
                                .asksAgain = query.asksAgain});
  for (ExprPtr e : all) answer.dependsOnExternalResults |= e->has(expr::kHasApply);
  return answer;
}

std::vector<StageStats> WholeStage::stats() const {
  std::vector<StageStats> all;
  next_->appendStats(all);
  return all;
}

} // namespace fathom::solver
