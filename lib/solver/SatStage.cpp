// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/SatStage.h"

namespace fathom::solver {

Answer SatStage::solve(const Conjunction &query) {
  Answer answer = solver_->solve(query, effort_);
  return answer.kind == AnswerKind::Unknown ? next_->solve(query) : answer;
}

void SatStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(solver_->stats());
  next_->appendStats(out);
}

void SatStage::dropCaches() {
  solver_->dropCaches();
  next_->dropCaches();
}

} // namespace fathom::solver
