/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decides which thread runs. One thread runs at a time, until it waits, ends, yields, or has taken
 * FATHOM_SLICE_BRANCHES branches while others could run. Then it is the turn of the next thread
 * that can run, in the order of their numbers. So there is one schedule for each path, and it
 * follows from the program and its inputs alone.
 *
 * Time passes when no thread can run (to the moment at which the first sleeping thread wakes up),
 * and a little when a thread yields, so that waiting in a loop ends. When no thread can run and
 * none sleeps, no thread will ever run again: this is a deadlock, which is reported in the thread
 * that blocked last.
 *
 * Compiled twice: into the model, and into the native programs of a replay, whose threads then take
 * turns in the same order and at the same places.
 */
#include "schedule.h"

#include <asm/unistd.h>
#include <linux/futex.h>
#include <linux/time.h>

enum { kUnused = 0, kReady, kBlocked };
/* One slice of time, as long as Linux's: what a yield takes. */
#define SLICE_NSEC 4000000l

static struct thread {
  byte status;
  byte timed;  /* blocked: until `until` at most */
  byte event;  /* blocked: until __fathom_eventHappened */
  int outcome; /* what the wait returns */
  int tid;
  const int *futex;    /* blocked: there, if not null */
  unsigned mask;       /* blocked: with these bits (FUTEX_WAIT_BITSET) */
  unsigned long since; /* blocked: a number that is higher the later it blocked */
  struct fathom_time until;
  int *clearTid;
} threads[FATHOM_MAX_THREADS] = {{.status = kReady}};

int __fathom_threadCount = 1, __fathom_thread;
static int limit = 1; /* numbers from here on have never been used */
static unsigned long blockings;
static int deadlock; /* no thread can run: the chosen one has to report it */

/* ---- threads ---- */

long __fathom_addThread(int *clearTid) {
  int number = 0;
  while (number < limit && threads[number].status != kUnused) number++;
  if (number == FATHOM_MAX_THREADS) {
    __fathom_ledger("environment", "a thread refused (EAGAIN): there are 256 already");
    return -EAGAIN;
  }
  if (number == limit) limit++;
  struct thread fresh = {.status = kReady, .clearTid = clearTid};
  threads[number] = fresh;
  __fathom_threadCount++;
  return number;
}

void __fathom_dropThread(int thread) {
  threads[thread].status = kUnused;
  __fathom_threadCount--;
}

void __fathom_setTid(int thread, int tid) { threads[thread].tid = tid; }
int __fathom_tid(void) { return threads[__fathom_thread].tid; }
void __fathom_setClearTid(int *clearTid) { threads[__fathom_thread].clearTid = clearTid; }

int __fathom_findThread(int tid) {
  for (int i = 0; i < limit; i++)
    if (threads[i].status != kUnused && threads[i].tid == tid) return i;
  return -1;
}

/* ---- turns ---- */

static void wake(struct thread *t, int outcome) {
  t->status = kReady;
  t->outcome = outcome;
}

/* Those whose time is over. */
static void wakeSleepers(void) {
  for (int i = 0; i < limit; i++)
    if (threads[i].status == kBlocked && threads[i].timed &&
        !fathomBefore(__fathom_clock, threads[i].until))
      wake(&threads[i], -ETIMEDOUT);
}

static int nextReady(void) {
  for (int i = __fathom_thread + 1; i < limit; i++)
    if (threads[i].status == kReady) return i;
  for (int i = 0; i <= __fathom_thread; i++)
    if (threads[i].status == kReady) return i;
  return -1;
}

static int firstToWakeUp(void) {
  int first = -1;
  for (int i = 0; i < limit; i++)
    if (threads[i].status == kBlocked && threads[i].timed &&
        (first < 0 || fathomBefore(threads[i].until, threads[first].until)))
      first = i;
  return first;
}

static int blockedLast(void) {
  int last = -1;
  for (int i = 0; i < limit; i++)
    if (threads[i].status == kBlocked && (last < 0 || threads[i].since > threads[last].since))
      last = i;
  return last;
}

/* Chooses the thread whose turn it is. Lets time pass until one can run. */
static int choose(void) {
  struct thread *me = &threads[__fathom_thread];
  for (;;) {
    wakeSleepers();
    int next = nextReady();
    if (next >= 0) return next;
    int sleeper = firstToWakeUp();
    int handled = sleeper >= 0
                      ? __fathom_passTime(fathomSubtract(threads[sleeper].until, __fathom_clock))
                      : __fathom_nextAlarm();
    if (handled < 0) {
      deadlock = 1;
      return blockedLast();
    }
    /* The handler ran in this thread, whose wait that ended (posix/signal.c); what the handler
     * itself waited for has changed the outcome. */
    if (handled > 0 && me->status != kUnused) wake(me, -EINTR);
  }
}

static void reportDeadlock(void) {
  const void *waits[FATHOM_MAX_THREADS];
  for (int i = 0; i < limit; i++) waits[i] = threads[i].status == kBlocked ? threads[i].futex : 0;
  __fathom_deadlocked(waits, (usize)limit);
}

static void takeTurns(void) {
  int next = choose();
  if (next != __fathom_thread) {
    int self = __fathom_thread;
    __fathom_thread = next;
    __fathom_switchTo(self, next);
    __fathom_thread = self;
  }
  if (deadlock) reportDeadlock();
}

/* Returns why it ended: 0, -ETIMEDOUT or -EINTR. */
static long block(const int *futex, unsigned mask, int event, const struct fathom_time *until) {
  struct thread *me = &threads[__fathom_thread];
  me->status = kBlocked;
  me->futex = futex;
  me->mask = mask;
  me->event = (byte)event;
  me->timed = until != 0;
  if (until) me->until = *until;
  me->since = ++blockings;
  takeTurns();
  return me->outcome;
}

void __fathom_yield(void) {
  struct fathom_time slice = {0, SLICE_NSEC};
  if (__fathom_threadCount == 1) return;
  __fathom_clock = fathomAdd(__fathom_clock, slice);
  takeTurns();
}

long __fathom_sleep(struct fathom_time duration) {
  struct fathom_time until = fathomAdd(__fathom_clock, duration);
  long outcome = block(0, 0, 0, &until);
  return outcome == -ETIMEDOUT ? 0 : outcome;
}

/* ---- descriptors and signals ---- */

long __fathom_waitForEvent(const struct fathom_time *timeout) {
  if (!timeout) return __fathom_threadCount == 1 ? -EDEADLK : block(0, 0, 1, 0);
  struct fathom_time until = fathomAdd(__fathom_clock, *timeout);
  return block(0, 0, 1, &until);
}

void __fathom_eventHappened(void) {
  for (int i = 0; i < limit; i++)
    if (threads[i].status == kBlocked && threads[i].event) wake(&threads[i], 0);
}

void __fathom_afterCall(long number) {
  if (__fathom_threadCount == 1) return;
  switch (number) {
  case __NR_read:
  case __NR_readv:
  case __NR_preadv2:
  case __NR_write:
  case __NR_writev:
  case __NR_pwritev2:
  case __NR_sendfile:
  case __NR_close:
  case __NR_close_range:
  case __NR_dup2:
  case __NR_dup3:
  case __NR_kill:
  case __NR_tkill:
  case __NR_tgkill: __fathom_eventHappened(); return;
  default: return;
  }
}

void __fathom_interrupt(int thread) {
  if (threads[thread].status == kBlocked) wake(&threads[thread], -EINTR);
}

/* ---- futexes ---- */

/* Of those that wait there with one of these bits, the one that has for longest. */
static struct thread *firstWaiter(const int *address, unsigned mask) {
  struct thread *first = 0;
  for (int i = 0; i < limit; i++)
    if (threads[i].status == kBlocked && threads[i].futex == address && (threads[i].mask & mask) &&
        (!first || threads[i].since < first->since))
      first = &threads[i];
  return first;
}

static long wakeWaiters(const int *address, int count, unsigned mask) {
  long woken = 0;
  struct thread *t;
  while (woken < count && (t = firstWaiter(address, mask))) {
    wake(t, 0);
    woken++;
  }
  return woken;
}

static long requeue(const int *from, const int *to, int count) {
  long moved = 0;
  struct thread *t;
  while (moved < count && from != to && (t = firstWaiter(from, FUTEX_BITSET_MATCH_ANY))) {
    t->futex = to;
    t->since = ++blockings;
    moved++;
  }
  return moved;
}

static long waitAt(const int *address, int value, unsigned mask, const struct fathom_time *until) {
  if (!mask) return -EINVAL;
  if (*(const volatile int *)address != value) return -EAGAIN;
  return block(address, mask, 0, until);
}

/* FUTEX_WAIT waits for so long, FUTEX_WAIT_BITSET until then, by one of two clocks. */
static long timedWait(const int *address, long operation, int value, unsigned mask,
                      struct fathom_time time) {
  const struct fathom_time boot = {FATHOM_BOOT_SEC, 0};
  if (!fathomIsValid(time)) return -EINVAL;
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
    time = fathomAdd(__fathom_clock, time);
  else if (!(operation & FUTEX_CLOCK_REALTIME))
    time = fathomAdd(fathomSubtract(time, boot), fathomStartTime);
  return waitAt(address, value, mask, &time);
}

long __fathom_sys_futex(int *address, long operation, long value, const struct fathom_time *timeout,
                        int *other, long mask) {
  if (!address) return -EFAULT;
  if ((unsigned long)address & 3) return -EINVAL;
  int number = (int)value, more = (int)(long)timeout; /* of a requeue: how many are moved */
  unsigned bits = FUTEX_BITSET_MATCH_ANY;
  switch ((int)operation & FUTEX_CMD_MASK) {
  case FUTEX_WAIT_BITSET: bits = (unsigned)mask; /* fall through */
  case FUTEX_WAIT:
    return timeout ? timedWait(address, operation, number, bits, *timeout)
                   : waitAt(address, number, bits, 0);
  case FUTEX_WAKE_BITSET:
    bits = (unsigned)mask;
    if (!bits) return -EINVAL; /* fall through */
  case FUTEX_WAKE: return wakeWaiters(address, number, bits);
  case FUTEX_CMP_REQUEUE:
    if (*(const volatile int *)address != (int)mask) return -EAGAIN; /* fall through */
  case FUTEX_REQUEUE: {
    if (!other) return -EFAULT;
    if (number < 0 || more < 0) return -EINVAL;
    long woken = wakeWaiters(address, number, bits);
    return woken + requeue(address, other, more);
  }
  default: return -ENOSYS;
  }
}

/* ---- the end of a thread ---- */

int __fathom_endThread(void) {
  struct thread *me = &threads[__fathom_thread];
  me->status = kUnused;
  __fathom_threadCount--;
  if (me->clearTid) {
    *me->clearTid = 0;
    wakeWaiters(me->clearTid, 1, FUTEX_BITSET_MATCH_ANY);
  }
  return __fathom_thread = choose();
}
