// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ByteSet.h"

#include "expr/Model.h"

#include <chrono>
#include <numeric>

namespace fathom::solver {

using expr::BatchEvaluator;

/// A function that takes longer for the values of a byte is for a search with a deadline.
static constexpr std::chrono::seconds kSlow{2};

std::optional<ByteSet> valuesWhere(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index,
                                   BatchEvaluator &batch) {
  if (term->has(expr::kHasApply)) { // executed, once for each value
    ByteSet set;
    expr::Evaluator evaluator;
    expr::Model model;
    const auto start = std::chrono::steady_clock::now();
    for (unsigned v = 0; v < 256; ++v) {
      if (std::chrono::steady_clock::now() - start > kSlow) return std::nullopt;
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
