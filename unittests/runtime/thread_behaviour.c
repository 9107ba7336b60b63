/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The scheduler of the environment model: whose turn it is, who is woken, when time passes. Threads
 * are started as libc starts them, and write one letter each time something happens to them.
 */
#define _GNU_SOURCE
#include "mock_engine.h"
#include "tap.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALL(n, a, b, c, d, e, f)                                                                  \
  __fathom_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static char events[256];
static void happens(char what) { events[strlen(events)] = what; }

static const char *expectedEnd;
static int expectedValue;
static void end(const char *how, int value) {
  if (!strcmp(how, expectedEnd) && value == expectedValue) _exit(0);
  printf("# ended: %s %d, expected %s %d; %s\n", how, value, expectedEnd, expectedValue, events);
  fflush(stdout);
  _exit(1);
}

static void (*body)(void);
static void start(long *stack) {
  (void)stack;
  body();
}

static void test(const char *name, void (*function)(void), const char *how, int value) {
  pid_t child = fork();
  if (child == 0) {
    static char *const arguments[] = {"program", 0};
    mock.start = start;
    mock.end = end;
    body = function;
    expectedEnd = how;
    expectedValue = value;
    mockRun(arguments);
    _exit(strcmp(how, "returned") != 0);
  }
  int status;
  waitpid(child, &status, 0);
  tapOk(status == 0, name);
}

/* ---- what threads do ---- */

static int futexes[2], ended;

static long startThread(int (*function)(void *), long argument, int *clearTid) {
  int tid, flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                   CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  long result = __fathom_clone(function, 0, flags, (void *)argument, &tid, 0, clearTid);
  CHECK(result < 0 || result == tid);
  return result;
}
static long yield(void) { return CALL(SYS_sched_yield, 0, 0, 0, 0, 0, 0); }
static long waitAt(int *futex, int value, const struct timespec *timeout) {
  return CALL(SYS_futex, futex, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, timeout, 0, 0);
}
static long wakeAt(int *futex, int count) {
  return CALL(SYS_futex, futex, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, 0, 0, 0);
}

static int writesTwice(void *letter) {
  happens((char)(long)letter);
  yield();
  happens((char)(long)letter);
  return 0;
}

static void takesTurns(void) {
  for (long letter = 'a'; letter <= 'c'; letter++) CHECK(startThread(writesTwice, letter, 0) > 0);
  CHECK(!strcmp(events, ""));
  happens('0');
  while (strlen(events) < 7) yield();
  CHECK(!strcmp(events, "0abcabc"));
  startThread(writesTwice, 'd', 0); /* takes the number of an ended one: runs the same */
  while (strlen(events) < 9) yield();
  CHECK(!strcmp(events, "0abcabcdd"));
}

static int waits(void *letter) {
  CHECK(waitAt(&futexes[0], 0, 0) == 0);
  happens((char)(long)letter);
  return 0;
}

static void wakesInOrder(void) {
  for (long letter = 'a'; letter <= 'd'; letter++) startThread(waits, letter, 0);
  yield();
  CHECK(waitAt(&futexes[0], 1, 0) == -EAGAIN);
  CHECK(wakeAt(&futexes[1], 1) == 0);
  CHECK(wakeAt(&futexes[0], 1) == 1);
  yield();
  CHECK(!strcmp(events, "a"));
  CHECK(wakeAt(&futexes[0], 2) == 2);
  yield();
  CHECK(!strcmp(events, "abc"));
  CHECK(wakeAt(&futexes[0], 9) == 1);
  yield();
  CHECK(!strcmp(events, "abcd"));
}

static void requeues(void) {
  for (long letter = 'a'; letter <= 'd'; letter++) startThread(waits, letter, 0);
  yield();
  CHECK(CALL(SYS_futex, &futexes[0], FUTEX_CMP_REQUEUE, 1, 2, &futexes[1], 5) == -EAGAIN);
  CHECK(CALL(SYS_futex, &futexes[0], FUTEX_CMP_REQUEUE, 1, 2, &futexes[1], 0) == 3);
  yield();
  CHECK(!strcmp(events, "a"));
  CHECK(wakeAt(&futexes[0], 9) == 1);
  yield();
  CHECK(!strcmp(events, "ad"));
  CHECK(wakeAt(&futexes[1], 9) == 2);
  yield();
  CHECK(!strcmp(events, "adbc"));
}

static int waitsForBits(void *bits) {
  CHECK(CALL(SYS_futex, &futexes[0], FUTEX_WAIT_BITSET, 0, 0, 0, bits) == 0);
  happens((char)('0' + (long)bits));
  return 0;
}

static void looksAtBits(void) {
  startThread(waitsForBits, 1, 0);
  startThread(waitsForBits, 2, 0);
  yield();
  CHECK(CALL(SYS_futex, &futexes[0], FUTEX_WAKE_BITSET, 9, 0, 0, 2) == 1);
  yield();
  CHECK(!strcmp(events, "2"));
  CHECK(CALL(SYS_futex, &futexes[0], FUTEX_WAIT_BITSET, 0, 0, 0, 0) == -EINVAL);
}

static int sleeps(void *milliseconds) {
  struct timespec time = {0, (long)milliseconds * 1000000};
  CHECK(CALL(SYS_nanosleep, &time, 0, 0, 0, 0, 0) == 0);
  happens((char)('0' + (long)milliseconds / 100));
  return 0;
}

static void timePasses(void) {
  struct timespec before, after, half = {0, 500000000}, second = {1, 0};
  startThread(sleeps, 300, 0);
  startThread(sleeps, 100, 0);
  startThread(sleeps, 200, 0);
  CALL(SYS_clock_gettime, CLOCK_MONOTONIC, &before, 0, 0, 0, 0);
  CHECK(waitAt(&futexes[0], 0, &half) == -ETIMEDOUT);
  CALL(SYS_clock_gettime, CLOCK_MONOTONIC, &after, 0, 0, 0, 0);
  CHECK(!strcmp(events, "123"));
  long passed = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
  CHECK(passed >= 500 && passed < 510);
  after.tv_sec += 1; /* a moment, by the monotonic clock */
  CHECK(CALL(SYS_futex, &futexes[0], FUTEX_WAIT_BITSET, 0, &after, 0, ~0u) == -ETIMEDOUT);
  CALL(SYS_clock_gettime, CLOCK_MONOTONIC, &before, 0, 0, 0, 0);
  CHECK(before.tv_sec == after.tv_sec && before.tv_nsec - after.tv_nsec < 10000000);
  second.tv_nsec = -1;
  CHECK(waitAt(&futexes[0], 0, &second) == -EINVAL);
}

static int endsAtOnce(void *unused) {
  (void)unused;
  happens('e');
  return 0;
}

static void endsAreTold(void) {
  ended = 1;
  startThread(endsAtOnce, 0, &ended);
  CHECK(waitAt(&ended, 1, 0) == 0);
  CHECK(ended == 0 && !strcmp(events, "e"));
}

static int exits(void *unused) {
  (void)unused;
  yield();
  __fathom_syscall(SYS_exit_group, 5, 0, 0, 0, 0, 0);
  return 0;
}

static void mainEndsFirst(void) {
  startThread(exits, 0, 0);
  __fathom_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
  CHECK(0);
}

static int interrupted(void *unused) {
  (void)unused;
  CHECK(waitAt(&futexes[0], 0, 0) == -EINTR);
  happens('i');
  return 0;
}

static void cancelling(void) {
  long tid = startThread(interrupted, 0, 0);
  yield();
  CHECK(CALL(SYS_tkill, tid, 33, 0, 0, 0, 0) == 0);
  CHECK(CALL(SYS_tkill, tid, 0, 0, 0, 0, 0) == 0);
  yield();
  CHECK(!strcmp(events, "i"));
  CHECK(CALL(SYS_tkill, tid, 0, 0, 0, 0, 0) == -ESRCH);
  CHECK(!mock.ledger[0] || strstr(mock.ledger, "one schedule"));
}

static void tooMany(void) {
  for (int i = 1; i < FATHOM_MAX_THREADS; i++) CHECK(startThread(waits, 'a', 0) > 0);
  mock.ledger[0] = 0; /* full of the entries for each */
  CHECK(startThread(waits, 'a', 0) == -EAGAIN);
  CHECK(strstr(mock.ledger, "a thread refused"));
}

static int waitsForOther(void *unused) {
  (void)unused;
  waitAt(&futexes[1], 0, 0);
  return 0;
}

static void allWait(void) {
  startThread(waitsForOther, 0, 0);
  startThread(sleeps, 100, 0); /* ends before that is found */
  waitAt(&futexes[0], 0, 0);
}

static void waitsAlone(void) { waitAt(&futexes[0], 0, 0); }

static void refusesProcesses(void) {
  CHECK(__fathom_clone(exits, 0, CLONE_VM | CLONE_VFORK, 0, 0, 0, 0) == -ENOSYS);
  CHECK(strstr(mock.ledger, "clone refused"));
}

int main(void) {
  test("threads take turns in the order of their numbers", takesTurns, "returned", 0);
  test("a futex wakes who has waited longest", wakesInOrder, "returned", 0);
  test("waiters are moved to another futex", requeues, "returned", 0);
  test("waiters are chosen by bits", looksAtBits, "returned", 0);
  test("time passes when all wait, up to the first that wakes up", timePasses, "returned", 0);
  test("the end of a thread clears its number and wakes a waiter", endsAreTold, "returned", 0);
  test("the first thread can end before the others", mainEndsFirst, "exit", 5);
  test("the signal of a cancellation ends a wait", cancelling, "returned", 0);
  test("no more than so many threads", tooMany, "returned", 0);
  test("when all wait for each other it is a deadlock", allWait, "deadlock", 2);
  test("also when there is only one", waitsAlone, "deadlock", 1);
  test("other processes are refused", refusesProcesses, "returned", 0);
  return tapDone();
}
