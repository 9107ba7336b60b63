// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ByteSet.h"

#include "expr/ExternalOperation.h"
#include "expr/Model.h"
#include "expr/TermVisitor.h"

#include <numeric>

namespace fathom::solver {

using expr::BatchEvaluator;

/// Operations are executed once for each value, operands before what uses them.
static ByteSet valuesByExecution(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index) {
  expr::Evaluator evaluator;
  expr::Model model;
  uint64_t version = 0;
  auto set = [&](unsigned value) {
    model.setByte(symbol, index, static_cast<uint8_t>(value));
    evaluator.setModel(model, version++);
  };
  expr::TermVisitor visitor;
  std::vector<uint8_t> inputs;
  expr::visitPostOrder(term, visitor, [&](expr::ExprPtr t) {
    if (t->kind() != expr::Kind::Apply) return;
    inputs.clear();
    for (unsigned v = 0; v < 256; ++v) {
      set(v);
      const std::vector<uint8_t> in = evaluator.evalInput(t->op(0));
      inputs.insert(inputs.end(), in.begin(), in.end());
    }
    t->operation().prepare(inputs, 256);
  });
  ByteSet values;
  for (unsigned v = 0; v < 256; ++v) {
    set(v);
    if (evaluator.isTrue(term)) values.add(v);
  }
  return values;
}

std::optional<ByteSet> valuesWhere(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index,
                                   BatchEvaluator &batch) {
  if (term->has(expr::kHasApply)) return valuesByExecution(term, symbol, index);
  const BatchEvaluator::Input byte{symbol, index};
  if (!batch.compile(std::span(&byte, 1), std::span(&term, 1))) return std::nullopt;
  auto *values = batch.input<uint8_t>(0);
  std::iota(values, values + BatchEvaluator::kLanes, 0);
  batch.run(BatchEvaluator::kLanes);
  ByteSet set;
  for (unsigned v = 0; v < 256; ++v)
    if (batch.root<uint8_t>(0)[v]) set.add(v);
  return set;
}

} // namespace fathom::solver
