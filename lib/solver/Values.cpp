// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Values.h"

#include "expr/ExprContext.h"
#include "expr/Facts.h"

#include <algorithm>

namespace fathom::solver {

Range feasibleRange(FeasibilityOracle &oracle, const PathCondition &path, const Model *witness,
                    uint64_t witnessVersion, ExprPtr e, std::chrono::milliseconds timeout,
                    expr::ExprContext &context) {
  unsigned w = e->width();
  uint64_t top = w >= 64 ? ~uint64_t(0) : (uint64_t(1) << w) - 1;
  const expr::Facts facts = expr::factsOf(e, 8); // bounds that need no check
  Range range{facts.min, std::min(facts.max, top), false};
  expr::Evaluator evaluator;
  evaluator.setModel(*witness, witnessVersion);
  const uint64_t seen = evaluator.eval(e);
  // A value that satisfies the condition, if there is one.
  enum class Found { No, Yes, Unknown };
  auto find = [&](ExprPtr condition, uint64_t &value) {
    Answer a = oracle.check({.path = path,
                             .goal = condition,
                             .witness = witness,
                             .witnessVersion = witnessVersion,
                             .timeout = timeout});
    if (a.kind == AnswerKind::Unsat) return Found::No;
    if (a.kind != AnswerKind::Sat) return Found::Unknown;
    static uint64_t version = uint64_t(1) << 62; // identities of models that belong to no state
    evaluator.setModel(a.model, ++version);
    value = evaluator.eval(e);
    return Found::Yes;
  };
  auto constant = [&](uint64_t v) { return context.constant(v, w); };
  bool exact = true;
  // Binary search between a value known to be feasible and the bound; models jump further than the
  // middle.
  uint64_t low = range.min, feasible = seen;
  while (low < feasible && exact) {
    uint64_t middle = low + (feasible - low) / 2, v;
    switch (find(context.ule(e, constant(middle)), v)) {
    case Found::Yes: feasible = v; break;
    case Found::No: low = middle + 1; break;
    case Found::Unknown: exact = false; break;
    }
  }
  range.min = exact ? feasible : low;
  uint64_t high = range.max;
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

Values feasibleValues(FeasibilityOracle &oracle, const PathCondition &path, const Model *witness,
                      uint64_t witnessVersion, ExprPtr e, unsigned limit,
                      std::chrono::milliseconds timeout, expr::ExprContext &context) {
  Values out;
  expr::Evaluator evaluator;
  ExprPtr others = context.trueExpr();
  auto found = [&](const Model &model) {
    evaluator.setModel(model, out.values.size());
    out.values.push_back(evaluator.eval(e));
    others = context.bvAnd(others, context.ne(e, context.constant(out.values.back(), e->width())));
  };
  if (witness && limit > 0) found(*witness);
  while (others->isConst() ? others->isTrue() : true) {
    Answer a = oracle.check({.path = path,
                             .goal = others,
                             .witness = witness,
                             .witnessVersion = witnessVersion,
                             .timeout = timeout});
    if (a.kind == AnswerKind::Unsat) {
      out.complete = true;
      return out;
    }
    if (a.kind != AnswerKind::Sat || out.values.size() >= limit) return out;
    found(a.model);
  }
  out.complete = true; // no other value is left, whatever the path
  return out;
}

} // namespace fathom::solver
