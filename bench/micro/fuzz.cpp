// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a query costs the fuzz solver: compiling it, and evaluating its distances.
//   string   a path through a program that compares an argument with options by strcmp, which is an
//            external operation: 40 constraints on single bytes, 4 applications
//   external the same, but strcmp is the C library's and is executed in a child process, as in an
//            exploration
//   hash     a multiplicative hash of eight bytes
//   floats   a polynomial in doubles
#include "explore/external/ExternalServer.h"
#include "expr/FloatBuilders.h"
#include "expr/RowLayout.h"
#include "solver/RowAssessor.h"
#include "support/Rng.h"

#include <benchmark/benchmark.h>

#include <bit>
#include <cstring>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::solver;

namespace {

class Strcmp final : public ExternalOperation {
public:
  Strcmp(uint64_t first, uint64_t second)
      : ExternalOperation("strcmp/" + std::to_string(first) + "/" + std::to_string(second),
                          first + second, 5),
        second_(first) {}
  void apply(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    const char *text = reinterpret_cast<const char *>(in.data());
    const int r = std::strcmp(text, text + second_);
    out[0] = 0;
    std::memcpy(&out[1], &r, 4);
  }

private:
  uint64_t second_;
};

explore::ExploreOptions withHelper() {
  explore::ExploreOptions options;
  options.nativeHelper = FATHOM_HELPER;
  return options;
}

struct Queries {
  explore::ExploreOptions options = withHelper();
  explore::ExternalServer server{options};
  ExprContext c;
  ExprPtr in = c.symbol("arg", 16);
  ExprPtr k(uint64_t v, unsigned w) { return c.constant(v, w); }
  ExprPtr word(ExprPtr array, uint64_t from, unsigned bytes) {
    ExprPtr e = c.read(array, from);
    for (uint64_t i = 1; i < bytes; ++i) e = c.concat(c.read(array, from + i), e);
    return e;
  }
  /// Of the argument with this text, as a word.
  ExprPtr compared(const char *text, bool inChild) {
    const uint64_t size = std::strlen(text) + 1;
    explore::ExternalSignature f;
    f.function = "strcmp";
    f.arguments = {native::ExternalType::Integer, native::ExternalType::Integer};
    f.result = native::ExternalType::Integer;
    f.blocks = {{17, false}, {size, false}};
    const uint64_t first = inChild ? f.contentsAt(0) : 0;
    std::vector<uint8_t> bytes(first + 17 + size);
    const uint64_t addresses[] = {0x0a0000001000, 0x0a0000003000};
    if (inChild)
      for (uint64_t i : {0, 1, 2, 3}) std::memcpy(&bytes[8 * i], &addresses[i % 2], 8);
    std::memcpy(&bytes[first + 17], text, size);
    ExprPtr array = c.constArray(bytes);
    for (uint64_t i = 0; i < 16; ++i) array = c.store(array, k(first + i, 64), c.read(in, i));
    if (!inChild) return word(c.apply(std::make_shared<Strcmp>(17, size), array), 1, 4);
    return word(c.apply(server.operation(f), array), explore::ExternalSignature::kValueAt, 4);
  }
  std::vector<ExprPtr> string(bool inChild) {
    std::vector<ExprPtr> out;
    for (const char *text : {"--help", "--version", "--fields", "--delimiter"}) {
      ExprPtr isEqual = c.eq(compared(text, inChild), k(0, 32));
      out.push_back(text[2] == 'd' ? isEqual : c.bvNot(isEqual));
    }
    for (uint64_t i = 0; i < 12; ++i) {
      ExprPtr promoted = c.sext(c.read(in, i), 32);
      out.push_back(c.bvNot(c.eq(promoted, k('A' + i, 32))));
      out.push_back(c.slt(promoted, k(123, 32)));
      out.push_back(c.bvNot(c.ult(c.add(promoted, k(0 - uint64_t('0'), 32)), k(10, 32))));
    }
    return out;
  }
  std::vector<ExprPtr> hash() {
    ExprPtr h = k(5381, 32);
    for (uint64_t i = 0; i < 8; ++i) h = c.add(c.mul(h, k(33, 32)), c.zext(c.read(in, i), 32));
    return {c.eq(c.urem(h, k(1009, 32)), k(17, 32))};
  }
  std::vector<ExprPtr> floats() {
    ExprPtr x = word(in, 0, 8), y = word(in, 8, 8);
    auto number = [&](double v) { return k(std::bit_cast<uint64_t>(v), 64); };
    ExprPtr p = fadd(c, fmul(c, fmul(c, x, x), y), fmul(c, number(3), fsub(c, y, x)));
    return {flt(c, number(10), p), flt(c, p, number(10.5)), flt(c, number(0), x)};
  }
  std::vector<ExprPtr> of(int64_t which) {
    return which == 0   ? string(/*inChild=*/false)
             : which == 1 ? string(/*inChild=*/true)
             : which == 2 ? hash()
                        : floats();
  }
};

void BM_Compile(benchmark::State &state) {
  Queries queries;
  const std::vector<ExprPtr> constraints = queries.of(state.range(0));
  RowLayout layout(constraints);
  jit::TermCompiler compiler({.optimise = state.range(1) != 0});
  for (auto _ : state) {
    RowAssessor assessor(queries.c, layout, compiler);
    if (!assessor.compile(constraints)) state.SkipWithError("not compiled");
  }
}
BENCHMARK(BM_Compile)
    ->ArgNames({"query", "optimise"})
    ->ArgsProduct({{0, 1, 2, 3}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

void BM_Evaluate(benchmark::State &state) {
  Queries queries;
  const std::vector<ExprPtr> constraints = queries.of(state.range(0));
  RowLayout layout(constraints);
  jit::TermCompiler compiler({.optimise = state.range(1) != 0});
  RowAssessor assessor(queries.c, layout, compiler);
  if (!assessor.compile(constraints)) state.SkipWithError("not compiled");
  constexpr size_t kRows = 1024; // as many as a search that does not get on
  std::vector<uint8_t> rows(kRows * layout.rowBytes());
  std::vector<uint64_t> distances(kRows * constraints.size());
  Rng rng(1);
  for (auto _ : state) {
    for (size_t r = 0; r < kRows; ++r) // inputs that were not seen before
      rows[r * layout.rowBytes() + rng.below(static_cast<uint32_t>(layout.size()))] =
          static_cast<uint8_t>(rng.next());
    assessor.assess(rows.data(), kRows, distances.data());
    benchmark::DoNotOptimize(distances.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRows));
}
BENCHMARK(BM_Evaluate)
    ->ArgNames({"query", "optimise"})
    ->ArgsProduct({{0, 1, 2, 3}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
