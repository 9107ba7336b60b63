// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Values.h"

#include "expr/ExprContext.h"

namespace fathom::solver {

Range feasibleRange(FeasibilityOracle &oracle, const PathCondition &path, const Model *witness, uint64_t witnessVersion,
                    ExprPtr e, std::chrono::milliseconds timeout, expr::ExprContext &context) {
  unsigned w = e->width();
  uint64_t top = w >= 64 ? ~uint64_t(0) : (uint64_t(1) << w) - 1;
  Range range{0, top, false};
  expr::Evaluator evaluator;
  evaluator.setModel(*witness, witnessVersion);
  const uint64_t seen = evaluator.eval(e);
  // A value that satisfies the condition, if there is one.
  enum class Found { No, Yes, Unknown };
  auto find = [&](ExprPtr condition, uint64_t &value) {
    Answer a = oracle.check({.path = path, .goal = condition, .witness = witness, .witnessVersion = witnessVersion, .timeout = timeout});
    if (a.kind == AnswerKind::Unsat) return Found::No;
    if (a.kind != AnswerKind::Sat) return Found::Unknown;
    static uint64_t version = uint64_t(1) << 62; // identities of models that belong to no state
    evaluator.setModel(a.model, ++version);
    value = evaluator.eval(e);
    return Found::Yes;
  };
  auto constant = [&](uint64_t v) { return context.constant(v, w); };
  bool exact = true;
  // Binary search between a value known to be feasible and the bound; models jump further than the middle.
  uint64_t low = 0, feasible = seen;
  while (low < feasible && exact) {
    uint64_t middle = low + (feasible - low) / 2, v;
    switch (find(context.ule(e, constant(middle)), v)) {
    case Found::Yes: feasible = v; break;
    case Found::No: low = middle + 1; break;
    case Found::Unknown: exact = false; break;
    }
  }
  range.min = exact ? feasible : low;
  uint64_t high = top;
  feasible = seen;
  while (feasible < high && exact) {
    uint64_t middle = high - (high - feasible) / 2, v;
    switch (find(context.ule(constant(middle), e), v)) {
    case Found::Yes: feasible = v; break;
    case Found::No: high = middle - 1; break;
    case Found::Unknown: exact = false; break;
    }
  }
  range.max = exact ? feasible : high;
  range.exact = exact;
  return range;
}

} // namespace fathom::solver
