// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The twelve estimators on large campaigns whose counts are tallied already: arguments are elements
// and units. What takes time is the intervals of UNPMLE and PNPMLE, 200 fits each, whatever the
// size.
#include "estimate/Analysis.h"
#include "estimate/Distributions.h"

#include <benchmark/benchmark.h>

#include <cmath>

using namespace fathom;
using namespace fathom::estimate;

/// Log-uniform detection probabilities from 1/units^1.2 to 1.
static Incidence campaign(int64_t elements, int64_t units) {
  Rng rng(1);
  auto t = static_cast<uint64_t>(units);
  std::vector<uint64_t> counts(t, 0);
  double low = -1.2 * std::log(static_cast<double>(t));
  for (int64_t i = 0; i < elements; ++i)
    if (uint64_t y = binomial(t, std::exp(low * uniform01(rng)), rng)) counts[y - 1]++;
  return {*FrequencyCounts::fromDense(t, counts), std::nullopt};
}

static void twelve(benchmark::State &state, unsigned replicates) {
  Incidence data = campaign(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(estimateAll(data, {.replicates = replicates}));
}

static void BM_TwelveWithoutResampling(benchmark::State &state) { twelve(state, 0); }
static void BM_TwelveWithIntervals(benchmark::State &state) { twelve(state, 200); }
BENCHMARK(BM_TwelveWithoutResampling)
    ->Args({1000, 100})
    ->Args({1000000, 10000})
    ->Args({10000000, 100000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TwelveWithIntervals)
    ->Args({1000, 100})
    ->Args({1000000, 10000})
    ->Args({10000000, 100000})
    ->Unit(benchmark::kMillisecond);

/// From dense counts to frequencies: part of reading.
static void BM_Tally(benchmark::State &state) {
  std::vector<uint64_t> counts(static_cast<size_t>(state.range(0)), 3);
  for (auto _ : state) benchmark::DoNotOptimize(FrequencyCounts::fromDense(counts.size(), counts));
}
BENCHMARK(BM_Tally)->Arg(100000)->Unit(benchmark::kMillisecond);

/// Everything that `fathom estimate` prints.
static void BM_Analyse(benchmark::State &state) {
  Incidence data = campaign(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(analyse(data));
}
BENCHMARK(BM_Analyse)->Args({1000, 100})->Args({1000000, 10000})->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
