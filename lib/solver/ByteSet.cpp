// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ByteSet.h"

#include "expr/Model.h"

#include <chrono>
#include <numeric>

namespace fathom::solver {

using expr::BatchEvaluator;

/// A function that is slow for more values than these is for a search with a deadline. (One that
/// hangs for a few is not: it gets less time for the others.)
static constexpr std::chrono::milliseconds kSlow{100};
static constexpr unsigned kSlowValues = 16;

std::optional<ByteSet> valuesWhere(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index,
                                   BatchEvaluator &batch) {
  if (term->has(expr::kHasApply)) { // executed, once for each value
    ByteSet set;
    expr::Evaluator evaluator;
    expr::Model model;
    unsigned slow = 0;
    for (unsigned v = 0; v < 256; ++v) {
      const auto start = std::chrono::steady_clock::now();
      model.setByte(symbol, index, static_cast<uint8_t>(v));
      evaluator.setModel(model, v);
      if (evaluator.isTrue(term)) set.add(v);
      if (std::chrono::steady_clock::now() - start > kSlow && ++slow > kSlowValues)
        return std::nullopt;
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
