// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/SatStage.h"

#include "solver/StageTable.h"

namespace fathom::solver {

Answer SatStage::solve(const Conjunction &query) {
  if (isQuantified(query)) return next_->solve(query);
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

void putSatStage(ChainBuilder &chain) {
  const SolverOptions &o = chain.options;
  chain.circuits =
      std::make_shared<CircuitSolver>(chain.context, (o.z3MemoryMb << 20) / 2, o.stop, o.isolation);
  chain.put(std::make_unique<SatStage>(
      chain.circuits, CircuitSolver::Effort{.newGates = o.satGates, .conflicts = o.satConflicts},
      chain.takeSets()));
}

} // namespace fathom::solver
