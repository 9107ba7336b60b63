// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deadlines and memory limits hold, and afterwards the solver still answers.
#include "SolverTestUtil.h"

#include "solver/Deadline.h"
#include "solver/GuidedStage.h"
#include "solver/JitFuzzSolver.h"
#include "solver/Watchdog.h"
#include "solver/Z3Child.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using namespace std::chrono_literals;

namespace {

/// What would not end without its limit ends far below this, on a machine that is busy, too: a
/// query that another process or thread answers waits with it for a processor.
constexpr double kNotForEver = 30000;

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

TEST(Limits, HardQueriesComeBackInTime) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  auto chain = makeChain(c, {});
  ExprPtr hard = factoring(c, in, kSemiprime);
  for (auto limit : {50ms, 200ms, 1000ms}) {
    auto start = Clock::now();
    Answer a = chain->check({.path = {}, .goal = hard, .timeout = limit});
    double ms = msSince(start);
    EXPECT_EQ(a.kind, AnswerKind::Unknown);
    EXPECT_EQ(a.why, UnknownReason::Timeout);
    EXPECT_EQ(a.reason, "timeout");
    EXPECT_LT(ms, kNotForEver);
    EXPECT_GT(ms, double(limit.count()) * 0.9);
  }
  EXPECT_EQ(
      chain->check({.path = {}, .goal = c.ult(c.read(in, uint64_t(20)), c.read(in, uint64_t(21)))})
          .kind,
      AnswerKind::Sat);
}

TEST(Limits, AnInterruptEndsTheQueryThatRuns) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  std::atomic<bool> stop{false};
  SolverOptions options;
  options.stop = &stop;
  auto chain = makeChain(c, options);
  std::thread user([&] {
    std::this_thread::sleep_for(200ms);
    stop = true;
  });
  auto start = Clock::now();
  Answer a = chain->check({.path = {}, .goal = factoring(c, in, kSemiprime), .timeout = 60s});
  user.join();
  EXPECT_EQ(a.kind, AnswerKind::Unknown);
  EXPECT_EQ(a.reason, "interrupted");
  EXPECT_LT(msSince(start), kNotForEver);
}

// A search is no exception: it ends with the query's time and by an interrupt, and the watching
// process sees it.
struct GuidedLimits : testing::Test {
  /// Searches until its budget ends it.
  class Endless final : public FuzzSolver {
  public:
    explicit Endless(std::function<void()> meanwhile) : meanwhile_(std::move(meanwhile)) {}
    Answer solve(std::span<const ExprPtr>, std::span<const Model *const>,
                 const FuzzBudget &budget) override {
      searches++;
      const Deadline deadline{Clock::now() + budget.time, budget.stop};
      while (!deadline.passed()) meanwhile_();
      return Answer::unknown(UnknownReason::Timeout);
    }
    FuzzStats stats() const override { return {}; }
    unsigned searches = 0;

  private:
    std::function<void()> meanwhile_;
  };
  ExprContext c;
  ExprPtr goal = c.ult(c.read(c.symbol("in", 2), uint64_t(0)), c.constant(3, 8));
  RunningQuery running;
  Isolation isolation{.running = &running, .isolated = {}};
  std::atomic<bool> stop{false};
  unsigned passedOn = 0;
  uint64_t seen = 0;
  Clock::rep overdue = 0;
  bool stops = false;
  Endless *endless = new Endless([this] {
    seen = running.hash;
    overdue = running.overdue;
    stop = stops;
  });
  GuidedStage stage{std::unique_ptr<FuzzSolver>(endless),
                    std::make_unique<CountingSolver>(passedOn, Answer::unsat()), &stop, &isolation};
  double msOf(std::chrono::milliseconds limit) {
    ExprPtr constraints[] = {goal};
    const auto start = Clock::now();
    EXPECT_EQ(stage.solve({.constraints = constraints, .deadline = start + limit}).kind,
              AnswerKind::Unsat);
    return msSince(start);
  }
};

TEST_F(GuidedLimits, EndsWithTheTimeOfTheQuery) {
  EXPECT_LT(msOf(50ms), kNotForEver);
  EXPECT_EQ(endless->searches, 1u);
  EXPECT_EQ(passedOn, 1u);
  msOf(0ms); // does not begin
  EXPECT_EQ(endless->searches, 1u);
}

TEST_F(GuidedLimits, EndsByAnInterrupt) {
  stops = true;
  EXPECT_LT(msOf(60s), kNotForEver);
  EXPECT_EQ(endless->searches, 1u);
}

TEST_F(GuidedLimits, IsAnnouncedAndWhatHungIsNotSearchedAgain) {
  const auto start = Clock::now();
  msOf(30ms);
  EXPECT_NE(seen, 0u);
  EXPECT_GE(overdue, (start + graceOf(30ms)).time_since_epoch().count());
  EXPECT_LE(overdue, (Clock::now() + 100ms + graceOf(30ms)).time_since_epoch().count());
  EXPECT_EQ(running.hash, 0u);
  isolation.isolated.insert(seen);
  msOf(30ms);
  EXPECT_EQ(endless->searches, 1u);
  EXPECT_EQ(passedOn, 2u);
}

TEST(Limits, AGuidedSearchStopsInTheMiddle) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  ExprPtr word = c.read(in, uint64_t(0));
  for (uint64_t i = 1; i < 8; ++i) word = c.concat(c.read(in, i), word);
  ExprPtr hard[] = {c.eq(c.mul(word, word), c.constant(3, 64))}; // which no square is
  std::atomic<bool> stop{false};
  auto search = makeJitFuzzSolver(c);
  std::thread user([&] {
    std::this_thread::sleep_for(100ms);
    stop = true;
  });
  const auto start = Clock::now();
  Answer a = search->solve(
      hard, {},
      {.evaluations = uint64_t(1) << 40, .time = std::chrono::seconds(30), .stop = &stop});
  user.join();
  EXPECT_EQ(a.kind, AnswerKind::Unknown);
  EXPECT_LT(msSince(start), kNotForEver);
}

TEST(Limits, IsolatedQueriesAreAnsweredAndAnnounced) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  RunningQuery running;
  Isolation isolation;
  isolation.running = &running;
  isolation.all = true;
  SolverOptions options;
  options.useStages({"domains", "ranges", "sat", "guided"}, false);
  options.isolation = &isolation;
  auto chain = makeChain(c, options);
  std::atomic<bool> seen{false}, apart{false};
  std::atomic<Clock::rep> overdue{0};
  std::atomic<bool> done{false};
  std::thread watcher([&] {
    while (!done)
      if (running.hash) {
        overdue = running.overdue.load();
        apart = running.isolated.load();
        seen = true;
      }
  });
  auto start = Clock::now();
  EXPECT_EQ(
      chain->check({.path = {}, .goal = factoring(c, in, kSemiprime), .timeout = 300ms}).reason,
      "timeout");
  EXPECT_LT(msSince(start), kNotForEver);
  EXPECT_EQ(running.hash, 0u);
  ExprPtr easy = c.ult(c.read(in, uint64_t(20)), c.read(in, uint64_t(21)));
  EXPECT_EQ(chain->check({.path = {}, .goal = easy}).kind, AnswerKind::Sat);
  done = true;
  watcher.join();
  ASSERT_TRUE(seen);
  EXPECT_TRUE(apart);
  EXPECT_GE(overdue, (start + 1300ms).time_since_epoch().count());
}

TEST(Limits, AChildIsKilledAtTheDeadlineAndAnswersOtherwise) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  SupportTable supports(c);
  auto ask = [&](ExprPtr goal, std::chrono::milliseconds limit) {
    ExprPtr constraints[] = {goal};
    return solveInChild(c, {}, {.constraints = constraints, .deadline = Clock::now() + limit},
                        supports.of(goal), false);
  };
  auto start = Clock::now();
  EXPECT_EQ(ask(factoring(c, in, kSemiprime), 300ms).reason, "timeout");
  EXPECT_LT(msSince(start), kNotForEver);
  ExprPtr goal =
      c.eq(c.mul(c.concat(c.read(in, uint64_t(0)), c.read(in, uint64_t(1))), c.constant(3, 16)),
           c.constant(300, 16));
  Answer a = ask(goal, 5000ms);
  ASSERT_EQ(a.kind, AnswerKind::Sat) << a.reason;
  EXPECT_TRUE(holds(a.model, {}, goal));
  EXPECT_EQ(ask(c.bvAnd(goal, c.eq(c.read(in, uint64_t(0)), c.constant(1, 8))), 5000ms).kind,
            AnswerKind::Unsat);
}

// A query that is answered within the larger limits: every limit gives the same answer again, with
// the same model. (A limit in time would not.)
TEST(Limits, ResourceLimitIsReproducible) {
  auto run = [](uint64_t limit) {
    ExprContext c;
    ExprPtr in = c.symbol("in", 64);
    auto word = [&](uint64_t at) {
      return c.zext(c.concat(c.read(in, at), c.read(in, at + 1)), 32);
    };
    SolverOptions o;
    o.useStages({"sat", "guided"}, false); // it is Z3 that has such a limit
    o.z3ResourceLimit = limit;
    ExprPtr goal = c.bvAnd(c.eq(c.mul(word(0), word(2)), c.constant(uint64_t(251) * 257, 32)),
                           c.ult(c.constant(1, 32), word(0)));
    goal = c.bvAnd(goal, c.ult(c.constant(1, 32), word(2)));
    return makeChain(c, o)->check({.path = {}, .goal = goal, .timeout = 60000ms});
  };
  bool answered = false, refused = false;
  for (uint64_t limit : {5'000u, 50'000u, 500'000u, 5'000'000u}) {
    Answer first = run(limit), again = run(limit);
    EXPECT_EQ(first.kind, again.kind) << limit;
    EXPECT_EQ(first.reason, again.reason) << limit;
    EXPECT_TRUE(first.model == again.model) << limit;
    answered |= first.kind == AnswerKind::Sat;
    refused |= first.kind == AnswerKind::Unknown && first.reason == "resource limit";
  }
  EXPECT_TRUE(answered && refused) << "limits on both sides of what the query takes";
}

TEST(Limits, MemoryLimitIsUnknownAndNotTheEnd) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 512);
  SolverOptions o;
  o.z3MemoryMb = 48;
  o.useStages({"guided"}, false); // zeros would do
  auto chain = makeChain(c, o);
  // Many wide products: bit-blasting them takes gigabytes.
  ExprPtr sum = c.constantWide(std::vector<uint64_t>(8, 0), 512);
  for (uint64_t i = 0; i < 512; i += 128) {
    ExprPtr a = c.read(in, i), b = c.read(in, i + 64);
    for (uint64_t j = 1; j < 64; ++j)
      a = c.concat(c.read(in, i + j), a), b = c.concat(c.read(in, i + 64 + j), b);
    sum = c.bvXor(sum, c.mul(a, b));
  }
  ExprPtr hard = c.ult(sum, c.constantWide(std::vector<uint64_t>(8, 12345678901ull), 512));
  auto start = Clock::now();
  Answer a = chain->check({.path = {}, .goal = hard, .timeout = 20000ms});
  EXPECT_EQ(a.kind, AnswerKind::Unknown);
  EXPECT_EQ(a.reason, "memory limit") << msSince(start) << " ms";
  EXPECT_EQ(
      chain->check({.path = {}, .goal = c.ult(c.read(in, uint64_t(20)), c.read(in, uint64_t(21)))})
          .kind,
      AnswerKind::Sat);
}

TEST(WatchdogTest, BarksOnceLateAndNeverAfterDisarm) {
  Watchdog dog;
  std::atomic<int> barks = 0;
  for (int i = 0; i < 100; ++i) {
    dog.arm(Clock::now() + 1s, [&] { ++barks; });
    EXPECT_FALSE(dog.disarm());
  }
  EXPECT_EQ(barks, 0);
  dog.arm(Clock::now() + 10ms, [&] { ++barks; });
  std::this_thread::sleep_for(40ms);
  EXPECT_TRUE(dog.disarm());
  EXPECT_EQ(barks, 1);
  int seen = barks;
  std::this_thread::sleep_for(80ms);
  EXPECT_EQ(barks, seen);
  std::this_thread::sleep_for(1100ms); // asleep now
  dog.arm(Clock::now() + 5ms, [&] { ++barks; });
  std::this_thread::sleep_for(60ms);
  EXPECT_TRUE(dog.disarm());
}

} // namespace
