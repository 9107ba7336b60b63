// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last stage: Z3. Whatever happens in there, an answer comes back about when it was asked for:
//   1. a watchdog interrupts Z3 at the deadline;
//   2. a conjunction that did not stop even then (kGrace later) is remembered, and goes next time
//   to a child process
//      of ours, which is killed at the deadline;
//   3. one so large that this can be expected (wide multipliers and dividers) goes there at once;
//   4. one that never stops, or crashes, costs the process, and is asked in a child by those who do
//   its work again (Isolation.h).
// Memory likewise: the watchdog looks at what Z3 has allocated, and in a child Z3's own hard limit
// applies. Every model is checked by evaluation before it leaves; one that fails makes the answer
// Unknown.
#ifndef FATHOM_SOLVER_Z3STAGE_H
#define FATHOM_SOLVER_Z3STAGE_H

#include "solver/Chain.h"
#include "solver/Conjunction.h"
#include "solver/ModelCheck.h"
#include "solver/SuccessRate.h"
#include "solver/Z3Session.h"

#include <unordered_set>

namespace fathom::solver {

class Z3Stage final : public ConjunctionSolver {
public:
  Z3Stage(const expr::ExprContext &context, const SolverOptions &options);
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override { out.push_back(stats_); }
  void dropCaches() override;

private:
  Answer ask(const Conjunction &query, const Support &support, bool readsByIndex);
  void log(const Conjunction &query, const Support &support, const Answer &answer);

  const expr::ExprContext &context_;
  SolverOptions options_;
  SupportTable supports_;
  Z3Session session_;
  SuccessRate brief_; ///< queries that are asked again, with more time
  StageStats stats_;
  ModelCheck check_;
  uint64_t logged_ = 0;
  std::unordered_set<uint64_t>
      stubborn_; // hashes of conjunctions that outlived their deadline by more than kGrace
};

} // namespace fathom::solver
#endif
