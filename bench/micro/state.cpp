// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What forking costs: copying a state that has memory, frames, a path condition and a log, and the
// first writes in the copy (which copy what was shared).
#include "explore/state/State.h"
#include "expr/ExprContext.h"

#include <benchmark/benchmark.h>

using namespace fathom;
using namespace fathom::explore;

namespace {

struct Example {
  expr::ExprContext context;
  State state;
  uint64_t written = 0; // an object of 256 bytes

  Example() {
    expr::ExprPtr in = context.symbol("in", 64);
    for (unsigned i = 0; i < 300; i++) { // a program's globals, heap and stack
      const ObjectState *o = state.memory.allocate(
          16 + i % 20 * 24, i % 3 ? ObjectKind::Heap : ObjectKind::Stack, /*zeroed=*/true, {});
      uint8_t byte = 1;
      state.memory.writeConcrete(o->base(), &byte, 1);
      if (o->size() >= 256 && !written) written = o->base();
    }
    for (unsigned depth = 0; depth < 12; depth++) {
      Frame *f = Frame::create(0, 40);
      f->parent = state.top;
      state.top = f;
    }
    for (unsigned i = 0; i < 50; i++) {
      state.path.add(context.ult(context.read(in, i), context.constant(i + 1, 8)));
      state.log.append(1);
    }
    state.symbols.push(in);
    state.setWitness(std::make_shared<expr::Model>());
  }
};

void BM_Fork(benchmark::State &run) {
  Example example;
  for (auto _ : run) {
    State copy(example.state);
    benchmark::DoNotOptimize(copy.top);
  }
}
BENCHMARK(BM_Fork);

/// With one write of a byte, one call and one decision in the copy.
void BM_ForkAndGoOn(benchmark::State &run) {
  Example example;
  expr::ExprPtr in = example.context.symbol("more", 8);
  expr::ExprPtr condition =
      example.context.ult(example.context.read(in, uint64_t(0)), example.context.constant(7, 8));
  for (auto _ : run) {
    State copy(example.state);
    uint8_t byte = 2;
    copy.memory.writeConcrete(example.written, &byte, 1);
    Frame *f = Frame::create(0, 40);
    f->parent = copy.top;
    copy.top = f;
    copy.path.add(condition);
    copy.log.append(1);
    benchmark::DoNotOptimize(copy.top);
  }
}
BENCHMARK(BM_ForkAndGoOn);

} // namespace

BENCHMARK_MAIN();
