// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Path conditions of three kinds of program, explored by a random walk that asks both sides of
// every branch:
//   text    a scanner: single characters against constants, now and then one against another
//   arith   atoi and a hash: words built from bytes, multiplied, divided, compared
//   tables  a lookup table and a buffer, both indexed by input
// Each with the whole chain, with single stages off, and with Z3 alone. Counters: median and 90th
// percentile per check.
#include "solver/Chain.h"
#include "support/Rng.h"

#include <benchmark/benchmark.h>

#include <algorithm>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::solver;

namespace {

enum Program : int64_t { Text, Arith, Tables };
enum Setup : int64_t { Whole, NoRanges, NoSlicing, NoCache, NoDomains, Z3Alone };

SolverOptions optionsOf(int64_t setup) {
  SolverOptions o;
  if (setup == NoRanges || setup == Z3Alone) o.useStages({"ranges"}, false);
  if (setup == NoSlicing || setup == Z3Alone) o.useStages({"slicing"}, false);
  if (setup == NoCache || setup == Z3Alone) o.useStages({"cache"}, false);
  if (setup == NoDomains || setup == Z3Alone) o.useStages({"domains"}, false);
  if (setup == Z3Alone) o.useStages({"witness"}, false);
  return o;
}

struct Walk {
  Walk(ExprContext &context, FeasibilityOracle &oracle, std::vector<double> &ms)
      : c(context), oracle_(oracle), ms_(ms) {
    in = c.symbol("in", 64);
    std::vector<uint8_t> contents(256);
    for (size_t i = 0; i < 256; ++i) contents[i] = static_cast<uint8_t>(i * 167 + 13) >> 1;
    table = c.constArray(contents);
  }

  void run(int64_t program, uint64_t seed) {
    rng = Rng(seed);
    path = {};
    witness = {};
    ++version;
    switch (program) {
    case Text: return text();
    case Arith: return arith();
    default: return tables();
    }
  }

  ExprPtr k(uint64_t v, unsigned w) { return c.constant(v, w); }
  ExprPtr byte(uint64_t i) { return c.read(in, i); }

  Answer ask(ExprPtr goal) {
    auto start = Clock::now();
    Answer a =
        oracle_.check({.path = path, .goal = goal, .witness = &witness, .witnessVersion = version});
    ms_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    return a;
  }
  /// Both sides of a branch, and takes one that is feasible.
  void branch(ExprPtr condition) {
    Answer yes = ask(condition), no = ask(c.bvNot(condition));
    if (yes.kind != AnswerKind::Sat && no.kind != AnswerKind::Sat) return;
    const bool take = yes.kind == AnswerKind::Sat && (no.kind != AnswerKind::Sat || rng.flip());
    path.add(take ? condition : c.bvNot(condition));
    witness = take ? yes.model : no.model;
    ++version;
  }
  ExprPtr isDigit(ExprPtr promoted) {
    return c.ult(c.add(promoted, k(0 - uint64_t('0'), 32)), k(10, 32));
  }

  void text() {
    for (uint64_t i = 0; i < 24; ++i) {
      ExprPtr promoted = c.sext(byte(i), 32);
      branch(c.eq(promoted, k('a' + rng.below(26), 32)));
      branch(isDigit(promoted));
      branch(c.slt(promoted, k(64, 32)));
      if (rng.below(4) == 0) branch(c.eq(byte(i), byte(rng.below(24))));
    }
  }
  void arith() {
    ExprPtr hash = k(5381, 32), number = k(0, 32);
    for (uint64_t i = 0; i < 8; ++i) {
      ExprPtr promoted = c.zext(byte(i), 32);
      branch(isDigit(promoted));
      hash = c.add(c.mul(hash, k(33, 32)), promoted);
      number = c.add(c.mul(number, k(10, 32)), c.add(promoted, k(0 - uint64_t('0'), 32)));
      branch(c.eq(c.urem(hash, k(64, 32)), k(rng.below(64), 32)));
      branch(c.ult(number, k(rng.below(100000), 32)));
    }
  }
  void tables() {
    for (uint64_t i = 0; i < 8; ++i) {
      ExprPtr entry = c.read(table, c.zext(c.bvXor(byte(i), byte(i + 1)), 64));
      ExprPtr other = c.read(in, c.zext(c.bvAnd(byte(i), k(31, 8)), 64));
      branch(c.ult(entry, k(rng.below(120), 8)));
      branch(c.eq(c.bvAnd(other, k(0x55, 8)), k(rng.below(256) & 0x55, 8)));
      branch(c.ult(c.add(entry, other), k(100, 8)));
    }
  }

  ExprContext &c;
  FeasibilityOracle &oracle_;
  std::vector<double> &ms_;
  ExprPtr in, table;
  Rng rng{0};
  PathCondition path;
  Model witness;
  uint64_t version = 0;
};

void BM_Walk(benchmark::State &state) {
  std::vector<double> ms;
  uint64_t checks = 0;
  for (auto _ : state) {
    ExprContext c;
    auto chain = makeChain(c, optionsOf(state.range(1)));
    Walk walk(c, *chain, ms);
    for (uint64_t seed = 1; seed <= 5; ++seed) walk.run(state.range(0), seed);
    checks = ms.size();
  }
  std::sort(ms.begin(), ms.end());
  state.counters["median_us"] = ms[ms.size() / 2] * 1000;
  state.counters["p90_us"] = ms[ms.size() * 9 / 10] * 1000;
  state.SetItemsProcessed(static_cast<int64_t>(checks));
}
BENCHMARK(BM_Walk)
    ->ArgNames({"program", "setup"})
    ->ArgsProduct({{Text, Arith, Tables},
                   {Whole, NoRanges, NoSlicing, NoCache, NoDomains, Z3Alone}})
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.3);

} // namespace

BENCHMARK_MAIN();
