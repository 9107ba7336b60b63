// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C program of a query says what the terms say; AFL++ finds models with it.
#include "RandomFloats.h"
#include "RandomTerms.h"
#include "SolverTestUtil.h"

#include "expr/RowLayout.h"
#include "native/Process.h"
#include "solver/AflFuzzSolver.h"
#include "solver/CHarness.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using namespace std::chrono_literals;

namespace {

/// In place of AFL++'s runtime: the input is standard input, once.
constexpr const char *kOneInput = R"(#include <unistd.h>
static unsigned length;
static unsigned char bytes[65536];
unsigned *__afl_fuzz_len = &length;
unsigned char *__afl_fuzz_ptr = bytes;
int __afl_persistent_loop(unsigned n) {
  static int calls;
  length = (unsigned)read(0, bytes, sizeof bytes);
  return !calls++;
}
)";

class Harness : public testing::Test {
protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "fathom-harness-" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string &name, std::string_view text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  void build(std::span<const ExprPtr> constraints, const RowLayout &layout) {
    CHarness harness = makeCHarness(constraints, layout);
    ASSERT_EQ(harness.error, "");
    write("harness.c", harness.source);
    write("input.c", kOneInput);
    native::Command clang;
    clang.program = native::findProgram("clang-19");
    clang.arguments = {"clang-19",           "-w", "-O1",          folder_ + "/harness.c",
                       folder_ + "/input.c", "-o", folder_ + "/h", "-lm"};
    clang.inheritEnvironment = clang.captureOutput = true;
    clang.limits.wall = 60s;
    native::Outcome o = native::run(clang);
    ASSERT_TRUE(o.ok()) << o.output.substr(0, 2000);
  }
  /// Does the program say that the model is one?
  bool accepts(const Model &model, const RowLayout &layout) {
    std::vector<uint8_t> row(layout.rowBytes());
    layout.fill(model, row);
    write("in", {reinterpret_cast<const char *>(row.data()), layout.size()});
    native::Command harness;
    harness.program = folder_ + "/h";
    harness.arguments = {"h"};
    harness.stdinFile = folder_ + "/in";
    harness.limits.wall = 20s;
    native::Outcome o = native::run(harness);
    EXPECT_TRUE(o.ok() || (o.kind == native::Outcome::Kind::Signalled && o.status == SIGTRAP))
        << describe(o);
    return !o.ok();
  }

  /// One constraint that mixes all terms and holds under the even ones of the models, so that a
  /// term that the program computes otherwise under one of them shows.
  void expectSame(ExprContext &c, std::span<const ExprPtr> terms, std::span<const Model> models) {
    ExprPtr mix = c.constant(1, 64);
    for (ExprPtr e : terms) {
      ExprPtr low = e->width() > 64
                        ? c.bvXor(c.extract(e, 0, 64), c.extract(e, e->width() - 64, 64))
                        : c.zext(e, 64);
      mix = c.add(c.mul(mix, c.constant(0x9E3779B97F4A7C15ull, 64)), low);
    }
    Evaluator evaluator;
    ExprPtr any = c.falseExpr();
    for (size_t m = 0; m < models.size(); m += 2) {
      evaluator.setModel(models[m], m + 1);
      any = c.bvOr(any, c.eq(mix, c.constant(evaluator.eval(mix), 64)));
    }
    RowLayout layout(std::span(&any, 1));
    build(std::span(&any, 1), layout);
    for (size_t m = 0; m < models.size(); ++m) {
      evaluator.setModel(models[m], 1000 + m);
      EXPECT_EQ(accepts(models[m], layout), evaluator.isTrue(any)) << "model " << m;
    }
  }
  std::string folder_;
};

TEST_F(Harness, SaysWhatTermsSay) {
  for (uint64_t seed : {1, 2}) {
    Rng rng(seed);
    ExprContext c({.simplify = false});
    expr::test::RandomTerms random(c, rng, /*wide=*/false);
    std::vector<ExprPtr> terms;
    for (unsigned n = 0; n < 150; ++n) terms.push_back(random.grow(random.someWidth()));
    std::vector<Model> models;
    for (unsigned m = 0; m < 16; ++m) models.push_back(expr::test::randomModel(random.input, rng));
    expectSame(c, terms, models);
  }
}

TEST_F(Harness, SaysWhatFloatsSay) {
  Rng rng(5);
  ExprContext c;
  expr::test::RandomFloats random(c, rng);
  std::vector<ExprPtr> terms;
  for (unsigned n = 0; n < 60; ++n) terms.push_back(random.grow(n % 2 ? 1 : 64));
  std::vector<Model> models(16);
  for (Model &model : models)
    for (uint64_t at = 0; at < 16; ++at)
      model.setByte(random.input, at, static_cast<uint8_t>(rng.next()));
  expectSame(c, terms, models);
}

TEST(AflFuzzSolver, FindsAModelAndKeepsTheProgram) {
  ASSERT_EQ(aflFuzzSolverMissing(), "");
  ExprContext c;
  ExprPtr in = c.symbol("in", 4);
  auto byte = [&](uint64_t i) { return c.read(in, i); };
  auto k = [&](uint64_t v) { return c.constant(v, 8); };
  const std::string kept = testing::TempDir() + "fathom-kept-harnesses-" + std::to_string(getpid());
  auto solver = makeAflFuzzSolver(c, {.keepHarnesses = kept, .scratch = {}, .seed = 1});
  const std::vector<ExprPtr> constraints = {c.eq(byte(0), k('-')), c.ult(k('a'), byte(1)),
                                            c.eq(c.add(byte(1), byte(2)), k(77))};
  Answer a = solver->solve(constraints, {}, {.evaluations = 0, .time = 30s});
  ASSERT_EQ(a.kind, AnswerKind::Sat) << a.reason;
  EXPECT_TRUE(holdsAll(a.model, constraints));
  // Two times: until the first execution, and from there on.
  EXPECT_GT(solver->stats().compileSeconds, 0);
  EXPECT_GT(solver->stats().searchSeconds, 0);
  std::ifstream file(kept + "/000001.c");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("in_in[0] == 45"), std::string::npos) << text;
  std::filesystem::remove_all(kept);
  // What has no model is not found, and that is no Unsat.
  const std::vector<ExprPtr> none = {c.ult(byte(0), byte(1)), c.ult(byte(1), byte(0))};
  a = solver->solve(none, {}, {.evaluations = 0, .time = 1s});
  EXPECT_EQ(a.kind, AnswerKind::Unknown);
  EXPECT_EQ(a.reason, "fuzz: not found");
}

} // namespace
