// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a state: switching, preemption, what is a thread's own, and what a fork and a path's
// log have to keep. The programs bring a scheduler of two threads along.
#include "evidence/BugKind.h"
#include "Support.h"

#include <gtest/gtest.h>

namespace fathom::explore::test {
namespace {

const std::string kScheduler = R"(
long __fathom_thread_create(long, void (*)(void *), void *, void *);
void __fathom_thread_switch(long);
void __fathom_thread_end(long) __attribute__((noreturn));
void __fathom_deadlock(const void *const *, unsigned long) __attribute__((noreturn));
void *__fathom_get_tp(void);
int __fathom_set_tp(void *);
static int running, both;
static void other(void) {
  running = 1 - running;
  __fathom_thread_switch(running);
}
void __fathom_preempted(void) {
  if (both) other();
}
static void start(void (*function)(void *), void *argument) {
  both = 1;
  __fathom_thread_create(1, function, argument, &both);
}
static void end(void) {
  both = running = 0;
  __fathom_thread_end(0);
}
)";

program::Program compileThreads(const std::string &source) { return compile(kScheduler + source); }

TEST(Threads, HaveStacksThreadPointersAndVariablesOfTheirOwn) {
  program::Program program = compileThreads(R"(
static _Thread_local int own = 40, untouched[3] = {1, 2, 3};
static int sum, *gone;
static int deep(int n) {
  if (n == 0) other();
  return n ? deep(n - 1) + n : own++;
}
static void worker(void *argument) {
  int local = 5;
  own += *(int *)argument;
  sum += deep(3);                       // 40 + 2 + 6
  sum += __fathom_get_tp() == &both;    // and this pointer
  sum += untouched[2];
  gone = &local;
  end();
}
int main(void) {
  int two = 2;
  __fathom_set_tp(&two);
  start(worker, &two);
  other();                              // until it is three calls deep
  sum += 100 * deep(2);                 // lets it end; 40 + 3
  sum += 10000 * (own == 41 && __fathom_get_tp() == &two);
  if (sum != 48 + 1 + 3 + 4300 + 10000) return 1;
  return *gone;                         // the stack of a thread that has ended
}
)");
  Rig rig(program);
  rig.runAll();
  EXPECT_TRUE(rig.kept.tests.empty());
  ASSERT_EQ(rig.kept.bugs.size(), 1u);
  EXPECT_EQ(rig.kept.bugs[0].kind, evidence::BugKind::UseAfterFree) << rig.kept.bugs[0].message;
}

/// Both threads fork, and each keeps the processor until it is preempted.
const char *const kForking = R"(
static volatile int flag, spins;
static unsigned char in[6];
static void worker(void *argument) {
  unsigned char mine = *(unsigned char *)argument; // symbolic, in a register while it waits
  while (flag != 1) spins++;
  if (mine > 100) spins += 1000;
  flag = 2;
  end();
}
int main(void) {
  int result = 0;
  __fathom_make_symbolic(in, sizeof in, "in");
  start(worker, &in[5]);
  for (int i = 0; i < 4; i++) {
    if (in[i] > 50) result++;
    for (volatile int j = 0; j < 2000 + 500 * result; j++) continue;
  }
  flag = 1;
  while (flag != 2) result |= 16;
  return (result + spins) & 0x7f;
}
)";

TEST(Threads, AForkCopiesAllOfThemAndALogLeadsBack) {
  program::Program program = compileThreads(kForking);
  Rig whole(program);
  whole.runAll();
  EXPECT_EQ(whole.kept.tests.size(), 32u);
  EXPECT_TRUE(whole.kept.bugs.empty());
  for (unsigned turns : {3u, 30u, 150u, 700u}) {
    Rig before(program), after(program);
    runInTwo(before, turns, after);
    ASSERT_FALSE(before.live.empty());
    EXPECT_EQ(after.paths(), whole.paths()) << turns;
  }
}

TEST(Threads, LengthOfATurnChangesNothing) {
  program::Program program = compileThreads(kForking);
  Rig whole(program), other(program);
  whole.runAll();
  std::string error;
  std::vector<std::unique_ptr<State>> states;
  states.push_back(other.executor->initialState(error));
  for (int64_t quantum = 1; !states.empty(); quantum = quantum * 7 % 9973 + 1) {
    std::unique_ptr<State> state = std::move(states.back());
    states.pop_back();
    Step step = other.executor->run(*state, quantum);
    if (step.alive) states.push_back(std::move(state));
    for (auto &forked : step.forked) states.push_back(std::move(forked));
  }
  EXPECT_EQ(other.paths(), whole.paths());
}

TEST(Threads, TermsOfThoseThatWaitAreKept) {
  program::Program program = compileThreads(R"(
static int result;
static void worker(void *argument) {
  unsigned mine = *(unsigned *)argument * 77 + 5; // in this thread's frame alone
  other();
  if (mine == 82) result = 1;
  end();
}
int main(void) {
  unsigned in;
  __fathom_make_symbolic(&in, sizeof in, "in");
  start(worker, &in);
  other();
  in = 0;
  for (volatile int i = 0; i < 1000; i++) continue;
  other();
  return result;
}
)");
  Rig rig(program);
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(rig.executor->initialState(error));
  unsigned collected = 0;
  rig.run(std::move(first), ~0u, [&](const std::vector<std::unique_ptr<State>> &live) {
    rig.executor->interpreter.registers.origins.clear();
    rig.context.collect([&](auto mark) {
      Visited seen;
      std::function<void(ExprPtr)> visit = mark;
      for (const auto &state : live) state->visitTerms(visit, seen);
      rig.oracle->visitRoots(visit);
      rig.executor->visitRoots(visit);
    });
    collected++;
  });
  EXPECT_GT(collected, 3u);
  ASSERT_EQ(rig.kept.tests.size(), 2u);
  EXPECT_EQ(rig.kept.tests[0].status + rig.kept.tests[1].status, 1);
}

TEST(Threads, ASwitchToNobodyEndsThePath) {
  for (const char *body : {"__fathom_thread_switch(0);", "__fathom_thread_end(0);",
                           "start(worker, 0); __fathom_thread_switch(7);",
                           "start(worker, 0); other(); __fathom_thread_switch(1);",
                           "start(worker, 0); __fathom_thread_end(0);"}) {
    program::Program program = compileThreads(
        std::string("static void worker(void *argument) { end(); }\nint main(void) { ") + body +
        " return 0; }");
    Rig rig(program);
    rig.runAll();
    EXPECT_EQ(rig.stats.pathsCompleted, 0u) << body;
    EXPECT_EQ(rig.ledger.entries().size(), 1u) << body;
  }
}

TEST(Threads, ADeadlockNamesWhatEachWaitsFor) {
  program::Program program = compileThreads(R"(
static int first, second;
static void waits(void) {
  static const void *const list[] = {&first, &second};
  __fathom_deadlock(list, 2);
}
static void worker(void *argument) { waits(); }
int main(void) {
  start(worker, 0);
  other();
  return 0;
}
)");
  Rig rig(program);
  rig.runAll();
  ASSERT_EQ(rig.kept.bugs.size(), 1u);
  const Bug &bug = rig.kept.bugs[0];
  EXPECT_EQ(bug.kind, evidence::BugKind::Deadlock);
  EXPECT_EQ(cwe(bug.kind), 833u);
  EXPECT_NE(bug.message.find("thread 0 waits for 'first'"), std::string::npos) << bug.message;
  EXPECT_NE(bug.message.find("thread 1 waits for 'second'"), std::string::npos) << bug.message;
  ASSERT_FALSE(bug.stack.empty());
  EXPECT_EQ(bug.stack.back().function, "worker");
}

TEST(Threads, ADeadlockOfMoreThreadsThanMemoryHoldsIsAReadBeyondTheList) {
  program::Program program = compileThreads(R"(
int main(void) {
  static const void *const list[] = {&both};
  __fathom_deadlock(list, 1ul << 61); // times eight: 0
}
)");
  Rig rig(program);
  rig.runAll();
  ASSERT_EQ(rig.kept.bugs.size(), 1u);
  EXPECT_EQ(rig.kept.bugs[0].kind, evidence::BugKind::OutOfBoundsRead) << rig.kept.bugs[0].message;
}

} // namespace
} // namespace fathom::explore::test
