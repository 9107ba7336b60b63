// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ByteSet.h"

#include "expr/Model.h"

#include <numeric>

namespace fathom::solver {

using expr::BatchEvaluator;

std::optional<ByteSet> valuesWhere(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index,
                                   BatchEvaluator &batch) {
  if (term->has(expr::kHasApply)) { // executed, once for each value
    ByteSet set;
    expr::Evaluator evaluator;
    expr::Model model;
    for (unsigned v = 0; v < 256; ++v) {
      model.setByte(symbol, index, static_cast<uint8_t>(v));
      evaluator.setModel(model, v);
      if (evaluator.isTrue(term)) set.add(v);
    }
    return set;
  }
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
