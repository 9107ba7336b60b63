// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of lib/expr: building, finding, evaluating and reclaiming terms.
#include "expr/BatchEvaluator.h"
#include "expr/ExprContext.h"
#include "expr/Model.h"
#include "support/Rng.h"

#include <benchmark/benchmark.h>

using namespace fathom;
using namespace fathom::expr;

/// New nodes: no two calls build the same term. One iteration = two such terms. With few live nodes
/// the unique table stays in the cache; with 10^6 every new node is a cache miss.
static void BM_BuildNew(benchmark::State &state) {
  auto c = std::make_unique<ExprContext>();
  ExprPtr in = c->symbol("in", 64), x = c->zext(c->read(in, uint64_t(0)), 32), e = x;
  uint64_t n = 0;
  for (auto _ : state) {
    e = c->bvXor(e, n & 1 ? x : c->zext(c->read(in, n & 63), 32));
    e = c->mul(e, x);
    if (++n % static_cast<uint64_t>(state.range(0)) == 0) {
      state.PauseTiming();
      c->collect([](auto) {});
      e = x = c->zext(c->read(in, uint64_t(0)), 32);
      state.ResumeTiming();
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * 2));
}
BENCHMARK(BM_BuildNew)->Arg(5000)->Arg(500000);

/// The same terms again: all are found.
static void BM_BuildKnown(benchmark::State &state) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64), b[64];
  for (uint64_t i = 0; i < 64; ++i) b[i] = c.read(in, i);
  uint64_t n = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(c.add(b[n & 63], b[(n >> 6) & 63]));
    ++n;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}
BENCHMARK(BM_BuildKnown);

/// What a loaded character costs: read, promote, compare with a constant.
static void BM_PromotedCompare(benchmark::State &state) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  uint64_t n = 0;
  for (auto _ : state) {
    ExprPtr promoted = c.sext(c.read(in, n & 63), 32);
    benchmark::DoNotOptimize(
        c.ult(c.add(promoted, c.constant(0 - (n >> 6 & 63), 32)), c.constant(10, 32)));
    ++n;
  }
}
BENCHMARK(BM_PromotedCompare);

/// A 32-bit word is stored as four bytes and loaded again.
static void BM_StoreAndLoadWord(benchmark::State &state) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  std::vector<ExprPtr> words;
  for (uint64_t i = 0; i < 32; ++i)
    words.push_back(c.mul(c.zext(c.read(in, i), 32), c.zext(c.read(in, i + 32), 32)));
  uint64_t n = 0;
  for (auto _ : state) {
    ExprPtr w = words[n++ % words.size()], loaded = c.extract(w, 24, 8);
    for (unsigned i = 3; i-- > 0;) loaded = c.concat(loaded, c.extract(w, i * 8, 8));
    benchmark::DoNotOptimize(loaded);
    if (loaded != w) state.SkipWithError("the word came back in pieces");
  }
}
BENCHMARK(BM_StoreAndLoadWord);

/// Evaluation of a term with state.range(0) nodes under a new model each time.
static void BM_Evaluate(benchmark::State &state) {
  ExprContext c;
  Rng rng(1);
  ExprPtr in = c.symbol("in", 64), e = c.zext(c.read(in, uint64_t(0)), 32);
  for (int64_t i = 0; i < state.range(0) / 3; ++i)
    e = c.bvXor(c.mul(e, c.constant(rng.next() | 1, 32)), c.zext(c.read(in, rng.below(64)), 32));
  Model m;
  for (uint64_t i = 0; i < 64; ++i) m.setByte(in, i, static_cast<uint8_t>(i * 7));
  Evaluator evaluator;
  uint64_t version = 0;
  for (auto _ : state) {
    evaluator.setModel(m, ++version);
    benchmark::DoNotOptimize(evaluator.eval(e));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Evaluate)->Arg(30)->Arg(300)->Arg(30000);

/// A digit string's value compared with a bound, of so many digits, for 256 strings at once; items
/// are operations times strings.
ExprPtr numberBelow(ExprContext &c, ExprPtr in, uint64_t digits) {
  ExprPtr number = c.constant(0, 32);
  for (uint64_t i = 0; i < digits; ++i)
    number = c.add(c.mul(number, c.constant(10, 32)),
                   c.add(c.zext(c.read(in, i), 32), c.constant(0 - uint64_t('0'), 32)));
  return c.ult(number, c.constant(1000, 32));
}

/// That condition and the bytes it reads, for batches.
struct Number {
  explicit Number(uint64_t digits)
      : in(c.symbol("in", digits)), condition(numberBelow(c, in, digits)) {
    for (uint64_t i = 0; i < digits; ++i) inputs.push_back({in, i});
  }
  bool compile(BatchEvaluator &batch) const {
    return batch.compile(inputs, std::span(&condition, 1));
  }
  ExprContext c;
  ExprPtr in, condition;
  std::vector<BatchEvaluator::Input> inputs;
};

void BM_EvaluateBatch(benchmark::State &state) {
  Number number(static_cast<uint64_t>(state.range(0)));
  BatchEvaluator batch;
  if (!number.compile(batch)) return state.SkipWithError("not supported");
  for (auto _ : state) {
    batch.run(BatchEvaluator::kLanes);
    benchmark::DoNotOptimize(batch.root<uint8_t>(0)[0]);
  }
  state.SetItemsProcessed(static_cast<int64_t>(batch.numInstructions()) * BatchEvaluator::kLanes *
                          state.iterations());
}
BENCHMARK(BM_EvaluateBatch)->Arg(4)->Arg(100);

/// Items are instructions.
void BM_CompileBatch(benchmark::State &state) {
  Number number(static_cast<uint64_t>(state.range(0)));
  BatchEvaluator batch;
  for (auto _ : state) benchmark::DoNotOptimize(number.compile(batch));
  state.SetItemsProcessed(static_cast<int64_t>(batch.numInstructions()) * state.iterations());
}
BENCHMARK(BM_CompileBatch)->Arg(4)->Arg(100);

/// Mark and sweep with 2^18 nodes, half of them live.
static void BM_Collect(benchmark::State &state) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64), x = c.zext(c.read(in, uint64_t(0)), 32), kept = x;
  for (uint64_t i = 0; i < 1 << 17; ++i) kept = c.mul(kept, x);
  uint64_t n = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ExprPtr e = c.zext(c.read(in, 1 + n++ % 63), 32);
    for (uint64_t i = 0; i < 1 << 17; ++i) e = c.mul(e, x);
    state.ResumeTiming();
    c.collect([&](auto visit) { visit(kept); });
  }
}
BENCHMARK(BM_Collect)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
