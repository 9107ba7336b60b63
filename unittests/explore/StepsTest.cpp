// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explorations that count steps (ExploreOptions::countsSteps): the same ones end at the same step,
// and each kind of work counts.
#include "explore/Explore.h"
#include "Support.h"

#include <gtest/gtest.h>

#include <atomic>

using namespace fathom;
using namespace fathom::explore;
using namespace fathom::explore::test;
using namespace std::chrono_literals;

namespace {

/// Paths without end in sight, with questions for several stages, and a bug on one of them.
const char *const kSource = R"(
int main(void) {
  unsigned char in[24], sum = 0;
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 24; i++)
    if (in[i] * in[(i + 1) % 24] % 7 == 3) sum += in[i];
  if (sum == 77) return *(volatile int *)0;
  return sum & 0x7f;
}
)";

struct Searched {
  ExploreResult result;
  Kept kept;
};

Searched runFor(std::chrono::milliseconds time, ExploreOptions options = {}) {
  static const program::Program program = compile(kSource);
  options.countsSteps = true;
  options.maxTime = time;
  options.search = "dfs";
  Searched out;
  const std::atomic<bool> stop{false};
  out.result = explore::explore(program, options, out.kept, stop);
  EXPECT_EQ(out.result.error, "");
  return out;
}

} // namespace

TEST(Steps, EndASearchAtTheSamePlace) {
  const Searched one = runFor(400ms), two = runFor(400ms);
  EXPECT_EQ(one.result.stats.stop, StopReason::MaxTime);
  EXPECT_GE(one.result.stats.stepNanoseconds, 350'000'000u);
  EXPECT_EQ(one.result.stats.stepNanoseconds, two.result.stats.stepNanoseconds);
  EXPECT_EQ(one.result.stats.instructions, two.result.stats.instructions);
  EXPECT_EQ(one.result.stats.queries, two.result.stats.queries);
  EXPECT_EQ(one.kept.tests.size(), two.kept.tests.size());
  EXPECT_GT(runFor(800ms).result.stats.instructions, one.result.stats.instructions);
}

TEST(Steps, EndWithTheWantedBugWhereItIsFound) {
  ExploreOptions options;
  options.endsWith = [](const Bug *bug, solver::Clock::duration) { return bug != nullptr; };
  const Searched run = runFor(60s, options);
  EXPECT_EQ(run.result.stats.stop, StopReason::FirstBug);
  ASSERT_EQ(run.kept.bugs.size(), 1u);
  EXPECT_EQ(runFor(60s, options).result.stats.stepNanoseconds, run.result.stats.stepNanoseconds);
}

TEST(Steps, EndBetweenTurnsWhenAskedTo) {
  ExploreOptions options;
  options.endsWith = [](const Bug *bug, solver::Clock::duration passed) {
    return !bug && passed >= 100ms;
  };
  const Searched run = runFor(60s, options);
  EXPECT_EQ(run.result.stats.stop, StopReason::FirstBug);
  EXPECT_GE(run.result.stats.stepNanoseconds, 100'000'000u);
}

/// A stage that tells nothing would be free: each answers here alone, beside slicing.
TEST(Steps, AreToldByEveryStageThatSearches) {
  for (const std::string only : {"domains", "sat", "guided", ""}) {
    const solver::Clock::CountsSteps counting;
    expr::ExprContext context;
    solver::SolverOptions options;
    options.useStages(
        {"witness", "ranges", "cache", "counters", "constants", "domains", "sat", "guided"}, false);
    if (!only.empty()) options.useStages({only}, true);
    const auto oracle = solver::makeChain(context, options);
    const expr::ExprPtr in = context.symbol("in", 4);
    const auto byte = [&](uint64_t i) { return context.zext(context.read(in, i), 32); };
    const expr::ExprPtr product = context.mul(context.mul(byte(0), byte(1)), byte(2));
    const auto begun = solver::Clock::now();
    const solver::Answer answer =
        oracle->check({.path = {},
                       .goal = context.eq(product, context.constant(7 * 11 * 13, 32)),
                       .timeout = 9s});
    EXPECT_EQ(answer.kind, solver::AnswerKind::Sat) << only;
    EXPECT_GT(solver::Clock::now(), begun) << "the stage " << (only.empty() ? "z3" : only);
    EXPECT_FALSE(solver::Clock::isDegraded());
  }
}
