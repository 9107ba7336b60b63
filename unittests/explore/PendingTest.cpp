// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left for later: when, what comes of it, and that nothing is lost by it.
#include "Support.h"

#include "evidence/LedgerCategory.h"
#include "explore/policy/BranchCheckPolicy.h"
#include "explore/work/Protocol.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using fathom::evidence::LedgerCategory;

namespace fathom::explore::test {
namespace {

ExploreOptions askingWhen(const char *when, uint64_t maxInstructions = 0) {
  ExploreOptions options;
  options.branchChecks = kBranchChecksNames.find(when).value();
  options.maxInstructions = maxInstructions;
  return options;
}

TEST(BranchCheckPolicy, SeedsAreFollowedWithoutAsking) {
  EXPECT_TRUE(BranchCheckPolicy(askingWhen("auto")).leaves(/*followsSeed=*/true));
  EXPECT_FALSE(BranchCheckPolicy(askingWhen("auto")).leaves(false));
  EXPECT_FALSE(BranchCheckPolicy(askingWhen("eager")).leaves(true));
  EXPECT_TRUE(BranchCheckPolicy(askingWhen("lazy")).leaves(false));
}

/// Asks so many questions of this length, with so much time for other things after each.
void ask(BranchCheckPolicy &policy, int times, std::chrono::microseconds took,
         std::chrono::microseconds others = {}) {
  static BranchCheckPolicy::Clock::time_point now{std::chrono::hours(1)};
  for (int i = 0; i < times; i++) {
    now += took;
    policy.asked(took, now);
    now += others;
  }
}

TEST(BranchCheckPolicy, WhatIsDearIsLeftUntilItIsCheapAgain) {
  using std::chrono::microseconds;
  using std::chrono::milliseconds;
  BranchCheckPolicy policy(askingWhen("auto")), reproducible(askingWhen("auto", 1000));
  ask(policy, 4, milliseconds(50));
  EXPECT_TRUE(policy.leaves(false));
  ask(policy, 1000, microseconds(1)); // no search: says nothing
  EXPECT_TRUE(policy.leaves(false));
  ask(policy, 1000, microseconds(100));
  EXPECT_FALSE(policy.leaves(false));
  ask(reproducible, 100, milliseconds(50));
  EXPECT_FALSE(reproducible.leaves(false)); // time decides nothing there
}

TEST(BranchCheckPolicy, WhatIsSeldomAskedIsNotDear) {
  using std::chrono::milliseconds;
  BranchCheckPolicy policy(askingWhen("auto"));
  ask(policy, 100, milliseconds(50), milliseconds(200));
  EXPECT_FALSE(policy.leaves(false));
  ask(policy, 100, milliseconds(50));
  EXPECT_TRUE(policy.leaves(false));
  ask(policy, 100, milliseconds(50), milliseconds(500));
  EXPECT_FALSE(policy.leaves(false));
}

TEST(BranchCheckPolicy, AttemptsGetMoreTime) {
  using std::chrono::milliseconds;
  BranchCheckPolicy policy(askingWhen("auto"));
  EXPECT_LT(policy.timeFor(0, milliseconds(10000)), policy.timeFor(1, milliseconds(10000)));
  EXPECT_EQ(policy.timeFor(2, milliseconds(10000)), milliseconds(10000));
  EXPECT_EQ(policy.timeFor(0, milliseconds(100)), milliseconds(100));
  ExploreOptions seeded = askingWhen("auto");
  seeded.seeds.emplace_back();
  EXPECT_EQ(BranchCheckPolicy(seeded).timeFor(0, milliseconds(10000)), milliseconds(10));
  EXPECT_EQ(BranchCheckPolicy(seeded).timeFor(3, milliseconds(10000)), milliseconds(10000));
  EXPECT_EQ(BranchCheckPolicy(askingWhen("auto", 1)).timeFor(0, milliseconds(10000)),
            milliseconds(10000));
}

const char *const kPendingProgram = R"(
int main(void) {
  unsigned char in[3];
  __fathom_make_symbolic(in, sizeof in, "in");
  if (in[0] * in[1] == 77) return 1;
  if (in[1] + in[2] == 300) return 2;
  if (in[0] * in[1] == 77 && in[1] == 7) return 3;
  return 4;
}
)";

TEST(Pending, APathIsFollowedWithoutAQuestionAndWhatItLeftIsAskedLater) {
  program::Program program = compile(kPendingProgram);
  unsigned asked = 0;
  Rig rig(
      program,
      [&](const solver::Query &query) -> std::optional<solver::Answer> {
        asked += !query.cheapStagesOnly;
        return std::nullopt;
      },
      askingWhen("lazy"));
  std::string error;
  std::unique_ptr<State> state = rig.executor->initialState(error);
  Step step = rig.executor->run(*state, 1000);
  EXPECT_FALSE(step.alive);
  EXPECT_EQ(rig.kept.tests.size(), 1u);
  EXPECT_EQ(asked, 0u);
  EXPECT_EQ(step.ready, 0u);
  // The third branch's condition is a side that the path has been through.
  ASSERT_EQ(step.forked.size(), 2u);
  EXPECT_EQ(rig.stats.sidesLeft, 2u);
  EXPECT_EQ(rig.stats.forks, 0u);
  rig.run(std::move(step.forked));
  EXPECT_EQ(asked, 2u);
  EXPECT_EQ(rig.stats.sidesAsked, 2u);
  EXPECT_EQ(rig.stats.sidesClosed, 0u);
  std::vector<int> statuses;
  for (const TestCase &test : rig.kept.tests) statuses.push_back(test.status);
  EXPECT_EQ(statuses, (std::vector<int>{4, 2, 1}));
}

TEST(Pending, AQuestionThatTimesOutWaitsForItsNextAttempt) {
  program::Program program = compile(kPendingProgram);
  std::vector<long> times;
  Rig rig(
      program,
      [&](const solver::Query &query) -> std::optional<solver::Answer> {
        if (query.cheapStagesOnly) return std::nullopt;
        times.push_back(query.timeout.count());
        EXPECT_EQ(query.asksAgain, times.size() < 3);
        return solver::Answer::unknown(solver::UnknownReason::Timeout);
      },
      askingWhen("lazy"));
  std::string error;
  std::unique_ptr<State> state = rig.executor->initialState(error);
  Step step = rig.executor->run(*state, 1000);
  ASSERT_EQ(step.forked.size(), 2u);
  State &pending = *step.forked[0];
  const std::string log = pending.log.bytes();
  for (unsigned attempts : {1u, 2u}) {
    EXPECT_TRUE(rig.executor->run(pending, 1000).alive);
    ASSERT_TRUE(pending.pending);
    EXPECT_EQ(pending.pending->attempts, attempts);
    EXPECT_EQ(pending.log.bytes(), log);
    EXPECT_TRUE(rig.ledger.empty());
  }
  // Handed over, or stored, it goes on where it was.
  std::vector<PathPrefix> told;
  PathTree tree;
  tree.add(pending.log, {.log = {}, .newlyCovered = {}, .attempts = pending.attempts()});
  ASSERT_TRUE(decode(encode({rig.executor->prefixOf(pending)}, std::move(tree)), told));
  ASSERT_EQ(told.size(), 2u);
  for (const PathPrefix &prefix : told) {
    std::unique_ptr<State> restored = rig.executor->restore(prefix, error);
    ASSERT_TRUE(restored) << error;
    EXPECT_EQ(restored->attempts(), 2u);
  }
  EXPECT_FALSE(rig.executor->run(pending, 1000).alive);
  EXPECT_EQ(times, (std::vector<long>{200, 2000, 10000}));
  ASSERT_EQ(rig.ledger.entries().size(), 1u);
  EXPECT_EQ(rig.ledger.entries().begin()->first.category, LedgerCategory::SolverTimeout);
}

TEST(Pending, APathIsTheSameWheneverItWasAskedFor) {
  program::Program program = compile(kPendingProgram);
  std::vector<uint64_t> paths[2];
  for (const char *when : {"eager", "lazy"}) {
    Rig rig(program, {}, askingWhen(when));
    rig.runAll();
    std::vector<uint64_t> &all = paths[*when == 'l'];
    for (const TestCase &test : rig.kept.tests) all.push_back(test.path);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all.size(), 3u);
  }
  EXPECT_EQ(paths[0], paths[1]);
}

/// The identities of all inputs of bugs that a program has, sorted.
std::vector<uint64_t> bugInputs(const program::Program &program, const char *when) {
  ExploreOptions options = askingWhen(when);
  options.allBugInputs = true;
  Rig rig(program, {}, options);
  rig.runAll();
  std::vector<uint64_t> out;
  for (const Bug &bug : rig.kept.bugs) out.push_back(bug.test.path);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Pending, InputsOfABugThatOnePathMeetsOftenAreToldApart) {
  program::Program program = compile(R"(
int main(void) {
  unsigned char in[3], table[10], sum = 0;
  for (int i = 0; i < 10; i++) table[i] = 1;
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 3; i++) sum += table[in[i]];
  return sum;
}
)");
  const std::vector<uint64_t> eager = bugInputs(program, "eager");
  EXPECT_EQ(std::set<uint64_t>(eager.begin(), eager.end()).size(), 3u);
  EXPECT_EQ(bugInputs(program, "lazy"), eager);
}

TEST(Pending, WildAddressesOfOneAccessAreToldApart) {
  program::Program program = compile(R"(
int main(void) {
  unsigned char in[1];
  char small[10], large[5000]; // far from each other
  __fathom_make_symbolic(in, sizeof in, "in");
  unsigned long first = (unsigned long)small, apart = (unsigned long)large - first;
  return *(char *)(first + apart / 2 + (in[0] & 1) * apart);
}
)");
  const std::vector<uint64_t> eager = bugInputs(program, "eager");
  EXPECT_GT(eager.size(), 1u);
  EXPECT_EQ(std::set<uint64_t>(eager.begin(), eager.end()).size(), eager.size());
}

/// No sum of two squares leaves one of these remainders, which only a query can find out.
const char *const kManyInfeasibleWays = R"(
int main(void) {
  unsigned char in[4], table[256];
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 256; i++) table[i] = i;
  unsigned rest = (in[0] * in[0] + in[1] * in[1]) % 16;
  if (rest == 3) return 1;
  if (rest == 6) return 2;
  if (rest == 7) return 3;
  if (rest == 11) return 4;
  if (rest == 12) return 5;
  if (rest == 14) return 6;
  if (rest == 15) return 7;
  unsigned sum = table[(in[2] * in[2] + in[3] * in[3]) % 16];
  if (sum == 3) return 8;
  if (in[0] * in[1] == 77) return 9;
  return 10;
}
)";

/// The identities of all paths, sorted; nothing may be left out.
std::vector<uint64_t> pathsOf(const program::Program &program, const ExploreOptions &options) {
  Rig rig(program, {}, options);
  rig.runAll();
  EXPECT_TRUE(rig.ledger.empty());
  EXPECT_EQ(rig.stats.forks, 1u);
  EXPECT_EQ(rig.stats.states, 2u);
  std::vector<uint64_t> out;
  for (const TestCase &test : rig.kept.tests) out.push_back(test.path);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Pending, WhatTurnsOutInfeasibleIsNoForkToABound) {
  program::Program program = compile(kManyInfeasibleWays);
  const std::vector<uint64_t> all = pathsOf(program, askingWhen("eager"));
  EXPECT_EQ(all.size(), 2u);
  for (const char *when : {"eager", "lazy"}) {
    ExploreOptions options = askingWhen(when);
    options.maxDepth = options.maxForks = 2;
    EXPECT_EQ(pathsOf(program, options), all) << when;
  }
}

TEST(Pending, ABoundOnDepthHoldsForAPathThatDoesNotAsk) {
  program::Program program = compile(R"(
int main(void) {
  unsigned char in[2];
  unsigned i = 0;
  __fathom_make_symbolic(in, sizeof in, "in");
  while (in[0] * in[1] != i * 3 + 1) i++;
  return 0;
}
)");
  ExploreOptions options = askingWhen("lazy");
  options.maxDepth = 5;
  Rig rig(program, {}, options);
  rig.runAll();
  EXPECT_GT(rig.kept.tests.size(), 4u);
  for (const TestCase &test : rig.kept.tests) EXPECT_LE(test.decisions, 5u);
  EXPECT_FALSE(rig.ledger.empty());
}

/// Paths by their identities, whenever they were asked for.
void expectTheSamePaths(const char *source) {
  program::Program program = compile(source);
  std::vector<uint64_t> all[2];
  for (const char *when : {"eager", "lazy"}) {
    Rig rig(program, {}, askingWhen(when));
    rig.runAll();
    std::vector<uint64_t> &out = all[*when == 'l'];
    for (const TestCase &test : rig.kept.tests) out.push_back(test.path);
    std::sort(out.begin(), out.end());
    EXPECT_GT(out.size(), 1u);
    for (const Bug &bug : rig.kept.bugs) ADD_FAILURE() << bug.message;
    for (const auto &[entry, times] : rig.ledger.entries()) ADD_FAILURE() << entry.detail;
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  EXPECT_EQ(all[0], all[1]);
}

TEST(Pending, WhatIsDecidedBeforeAnInstructionRunsAgainCountsOnce) {
  expectTheSamePaths(R"(
int main(void) {
  unsigned long in[3];
  unsigned char table[512];
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 512; i++) table[i] = i;
  for (int i = 0; i < 3; i++) __fathom_assume(in[i] < 200);
  unsigned char *at = table + __builtin_elementwise_min(in[0], in[1] ^ in[2]) +
                      __builtin_elementwise_max(in[1], in[2]);
  return *at > 4;
}
)");
}

TEST(Pending, ACallThatRunsAgainCountsItsInstructionsOnce) {
  program::Program program = compile(R"(
void *malloc(unsigned long);
void free(void *);
int main(void) {
  unsigned char in[2];
  __fathom_make_symbolic(in, sizeof in, "in");
  unsigned long one = (unsigned long)malloc(1), other = (unsigned long)malloc(1);
  free((void *)(one + (in[0] * in[1] == 77) * (other - one)));
  return 0;
}
)");
  std::set<uint64_t> instructions;
  for (const char *when : {"eager", "lazy"}) {
    Rig rig(program, {}, askingWhen(when));
    rig.runAll();
    EXPECT_EQ(rig.kept.tests.size(), 2u);
    for (const TestCase &test : rig.kept.tests) instructions.insert(test.instructions);
  }
  EXPECT_EQ(instructions.size(), 1u);
}

TEST(Pending, OnlyTheWantedCopyIsKeptWhileALogIsFollowed) {
  program::Program program = compile(kManyInfeasibleWays);
  Rig rig(program, {}, askingWhen("lazy")), other(program, {}, askingWhen("lazy"));
  std::string error;
  std::unique_ptr<State> state = rig.executor->initialState(error);
  const Step step = rig.executor->run(*state, 100000);
  ASSERT_GT(step.forked.size(), 5u);
  std::unique_ptr<State> led = other.executor->initialState(error);
  led->replayedLog = std::make_unique<LogReader>(step.forked.back()->log.bytes());
  const Step followed = other.executor->run(*led, 100000);
  ASSERT_EQ(followed.forked.size(), 1u);
  EXPECT_EQ(followed.forked[0]->log.bytes(), step.forked.back()->log.bytes());
}

TEST(Pending, AChecksBugThatHasAReportByNowIsNotAskedFor) {
  program::Program program = compile(R"(
int main(void) {
  unsigned char in[6], table[10], sum = 0;
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 10; i++) table[i] = i;
  for (int i = 0; i < 5; i++) sum += table[in[i] * in[i + 1] / 3];
  return sum;
}
)");
  auto questions = [&](bool all) {
    unsigned asked = 0;
    ExploreOptions options = askingWhen("lazy");
    options.allBugInputs = all;
    Rig rig(
        program,
        [&](const solver::Query &query) -> std::optional<solver::Answer> {
          asked += !query.cheapStagesOnly;
          return std::nullopt;
        },
        options);
    rig.runAll();
    EXPECT_EQ(rig.stats.bugs, 1u);
    EXPECT_EQ(rig.stats.bugTests, all ? 4u : 0u);
    EXPECT_EQ(rig.stats.sidesAsked, rig.stats.sidesLeft);
    return asked;
  };
  EXPECT_EQ(questions(false) + 4, questions(true));
}

} // namespace
} // namespace fathom::explore::test
