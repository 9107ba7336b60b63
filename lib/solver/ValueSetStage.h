// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Value sets: for each number of the input, the strided intervals of the values that the clauses
// about it alone leave. A question about numbers that no other clause of the path ties to something
// is a question of membership, and needs no solver. This is the baseline that [psp23] Sec. VI-B
// compares with (abstract symbolic execution): off unless asked for, since the stages below do the
// same for bytes, and more.
//
// A number is what a program reads of one input at once: adjacent bytes, the lowest first. A clause
// is amenable if it compares with a constant a number, extended, plus a constant, or its remainder
// by one. Any other clause about the number makes the question one for the stages below.
//
// Guarantee: Sat and Unsat are right; everything else is passed on.
#ifndef FATHOM_SOLVER_VALUESETSTAGE_H
#define FATHOM_SOLVER_VALUESETSTAGE_H

#include "expr/ExprContext.h"
#include "solver/Conjunction.h"
#include "solver/Support.h"

#include <map>
#include <optional>

namespace fathom::solver {

/// lo, lo + stride, ..., hi; unsigned. stride >= 1 divides hi - lo.
struct Strided {
  uint64_t lo = 0, hi = 0, stride = 1;
  bool operator==(const Strided &) const = default;
};
/// Without order; they do not overlap.
using ValueSet = std::vector<Strided>;

/// Nullopt: it would take too many intervals.
std::optional<ValueSet> intersection(const ValueSet &a, const ValueSet &b);

/// Bytes of one input.
struct InputNumber {
  uint32_t symbol = 0;
  uint64_t first = 0;
  unsigned bytes = 0;
  auto operator<=>(const InputNumber &) const = default;
};

/// What an amenable clause says of its number; nullopt: it is none.
std::optional<std::pair<InputNumber, ValueSet>> valueSetOf(ExprPtr clause);

class ValueSetStage final : public FeasibilityOracle {
public:
  ValueSetStage(const expr::ExprContext &context, std::unique_ptr<FeasibilityOracle> next)
      : context_(context), supports_(context), next_(std::move(next)) {
    stats_.name = "values";
  }
  Answer check(const Query &query) override;
  std::vector<StageStats> stats() const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  struct Clause {
    const Support *support = nullptr;
    std::optional<std::pair<InputNumber, ValueSet>> says;
  };
  const Clause &clauseOf(ExprPtr e);
  Answer decide(const Query &query);
  /// What the path leaves of the number; nullopt: something else is said about it.
  std::optional<ValueSet> onPath(const PathCondition &path, const InputNumber &number);

  const expr::ExprContext &context_;
  SupportTable supports_;
  uint64_t collections_ = 0;
  llvm::DenseMap<ExprPtr, std::unique_ptr<Clause>> clauses_; // looked up only
  std::unique_ptr<FeasibilityOracle> next_;
  StageStats stats_;
};

} // namespace fathom::solver
#endif
