// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: the lower half of the chain. Above, a stage sees a path and a goal
// (FeasibilityOracle); from slicing downwards a query is a plain set of constraints that belong
// together.
#ifndef FATHOM_SOLVER_CONJUNCTION_H
#define FATHOM_SOLVER_CONJUNCTION_H

#include "solver/Oracle.h"

#include <algorithm>
#include <span>

namespace fathom::solver {

/// A satisfiability question about a set of width-1 terms.
struct Conjunction {
  std::span<const ExprPtr>
      constraints; ///< No constants, no repetition; oldest first, the goal's own last.
  Clock::time_point deadline;
  uint32_t branchId = ~0u;
  bool needModel = true;
  const Model *witness =
      nullptr; ///< Satisfies the constraints that are the path's; null when none is at hand.
  bool asksAgain = false; ///< see Query
};

/// Has constraints with a Forall, which only the stages quantifiers and z3 know.
inline bool isQuantified(const Conjunction &query) {
  return std::ranges::any_of(query.constraints, [](ExprPtr e) { return e->has(expr::kHasForall); });
}

/// Independent of the order of constraints and of addresses; not 0.
inline uint64_t hashOf(const Conjunction &query) {
  uint64_t sum = 1;
  for (ExprPtr e : query.constraints) sum += (uint64_t(e->hash()) + 1) * 0x9E3779B97F4A7C15ull;
  return sum;
}

/// Answers conjunctions. A model assigns the bytes the constraints depend on and leaves the others
/// 0.
class ConjunctionSolver {
public:
  virtual ~ConjunctionSolver() = default;
  virtual Answer solve(const Conjunction &query) = 0;
  virtual void appendStats(std::vector<StageStats> &out) const = 0;
  virtual void visitRoots(const std::function<void(ExprPtr)> &visit) const { (void)visit; }
  virtual void dropCaches() {}
};

/// Counts one answer and the time of one call; the stages below charge their time to themselves.
class StageTimer {
public:
  explicit StageTimer(StageStats &stats) : stats_(stats), start_(Clock::now()) { ++stats_.asked; }
  ~StageTimer() {
    stats_.seconds += std::chrono::duration<double>(Clock::now() - start_ - below_).count();
  }
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;
  /// Runs the next stage without charging its time here.
  template <typename F> Answer pass(F next) {
    ++stats_.passedOn;
    return exclude(next);
  }
  template <typename F> Answer exclude(F next) {
    Clock::time_point before = Clock::now();
    Answer answer = next();
    below_ += Clock::now() - before;
    return answer;
  }
  /// This stage's own answer.
  Answer answered(Answer a) {
    switch (a.kind) {
    case AnswerKind::Sat: ++stats_.sat; break;
    case AnswerKind::Unsat: ++stats_.unsat; break;
    case AnswerKind::Assumed: ++stats_.assumed; break;
    case AnswerKind::Unknown: ++stats_.unknown; break;
    }
    return a;
  }

private:
  StageStats &stats_;
  Clock::time_point start_;
  Clock::duration below_{};
};

} // namespace fathom::solver
#endif
