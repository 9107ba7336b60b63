// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ByteSet.h"

#include "expr/ExternalOperation.h"
#include "expr/Model.h"
#include "expr/TermVisitor.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace fathom::solver {

using expr::BatchEvaluator;

namespace {

/// A function that is slow for more values than these is for a search with a deadline. (One that
/// hangs for one is not: it gets less time for the others.)
class Patience {
public:
  static constexpr unsigned kValues = 16;
  /// After the execution of as many values; false: it is at its end.
  bool lasts(unsigned values) {
    constexpr std::chrono::milliseconds kSlow{100};
    const auto now = Clock::now();
    slow_ += std::min<uint64_t>(static_cast<uint64_t>((now - last_) / kSlow), values);
    last_ = now;
    return slow_ <= kValues;
  }

private:
  Clock::time_point last_ = Clock::now();
  uint64_t slow_ = 0;
};

/// Operations are executed once for each value, operands before what uses them.
std::optional<ByteSet> valuesByExecution(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index) {
  expr::Evaluator evaluator;
  expr::Model model;
  uint64_t version = 0;
  auto set = [&](unsigned value) {
    model.setByte(symbol, index, static_cast<uint8_t>(value));
    evaluator.setModel(model, version++);
  };
  Patience patience;
  auto prepare = [&](expr::ExprPtr apply) {
    std::vector<uint8_t> inputs;
    for (unsigned from = 0; from < 256; from += Patience::kValues) {
      inputs.clear();
      for (unsigned v = from; v < from + Patience::kValues; ++v) {
        set(v);
        const std::vector<uint8_t> in = evaluator.evalInput(apply->op(0));
        inputs.insert(inputs.end(), in.begin(), in.end());
      }
      apply->operation().prepare(inputs, Patience::kValues);
      if (!patience.lasts(Patience::kValues)) return false;
    }
    return true;
  };
  expr::TermVisitor visitor;
  bool fine = true;
  expr::visitPostOrder(term, visitor, [&](expr::ExprPtr t) {
    if (t->kind() == expr::Kind::Apply) fine = fine && prepare(t);
  });
  ByteSet values;
  for (unsigned v = 0; fine && v < 256; ++v) {
    set(v);
    if (evaluator.isTrue(term)) values.add(v);
    fine = patience.lasts(1);
  }
  return fine ? std::optional(values) : std::nullopt;
}

} // namespace

std::optional<ByteSet> valuesWhere(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index,
                                   BatchEvaluator &batch) {
  if (term->has(expr::kHasApply) || term->has(expr::kHasForall))
    return valuesByExecution(term, symbol, index);
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
