// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/WitnessStage.h"

#include "solver/StageTable.h"

namespace fathom::solver {

Answer WitnessStage::check(const Query &query) {
  StageTimer timer(stats_);
  if (query.goal->isFalse()) return timer.answered(Answer::unsat());
  if (query.witness && !query.witnessFails) {
    evaluator_.setModel(*query.witness, query.witnessVersion);
    if (evaluator_.isTrue(query.goal)) {
      Answer answer = Answer::sat(query.needModel ? *query.witness : Model());
      answer.isWitness = true;
      return timer.answered(std::move(answer));
    }
  }
  return timer.pass([&] { return next_->check(query); });
}

std::vector<StageStats> WitnessStage::stats() const {
  std::vector<StageStats> all{stats_}, below = next_->stats();
  all.insert(all.end(), below.begin(), below.end());
  return all;
}

void putWitnessStage(ChainBuilder &chain) {
  chain.put(std::make_unique<WitnessStage>(chain.takePaths()));
}

} // namespace fathom::solver
