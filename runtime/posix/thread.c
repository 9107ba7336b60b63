/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of the model: libc's implementation of pthread runs as it is, and what it asks of the
 * kernel to start and to end a thread is answered here. A thread is the engine's (its frames and
 * its thread pointer); which one runs, and what they wait for, is the scheduler's (schedule.c).
 */
#include "syscalls.h"

#include <linux/sched.h>

/* Called by the engine. */
void __fathom_preempted(void);
void __fathom_threadMain(void *number);

static struct start {
  int (*function)(void *);
  void *argument;
  unsigned long blockedSignals;
} starts[FATHOM_MAX_THREADS];

/* The first function of every thread but the first. */
void __fathom_threadMain(void *number) {
  struct start *start = &starts[(long)number];
  __fathom_blockedSignals = start->blockedSignals;
  __fathom_sys_exit(start->function(start->argument));
}

long __fathom_clone(int (*function)(void *), void *stack, int flags, void *argument, int *parentTid,
                    void *threadPointer, int *clearTid) {
  static int lastTid = kPid;
  const int thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
  (void)stack; /* frames are the engine's */
  if ((flags & thread) != thread)
    return __fathom_sys_refuseProcess("clone refused (ENOSYS): only one process is analysed");
  long number = __fathom_addThread(flags & CLONE_CHILD_CLEARTID ? clearTid : 0);
  if (number < 0) return number;
  struct start start = {function, argument, __fathom_blockedSignals};
  starts[number] = start;
  long status = __fathom_thread_create(number, __fathom_threadMain, (void *)number,
                                       flags & CLONE_SETTLS ? threadPointer : __fathom_get_tp());
  if (status < 0) {
    __fathom_dropThread((int)number);
    return status;
  }
  __fathom_ledger("threads",
                  "one schedule of the threads is looked at, of many; data races are not "
                  "looked for");
  __fathom_setTid((int)number, ++lastTid);
  if (flags & CLONE_PARENT_SETTID) *parentTid = lastTid;
  return lastTid;
}

long __fathom_sys_exit(long status) {
  if (__fathom_threadCount == 1) __fathom_exit((int)status & 255);
  __fathom_thread_end(__fathom_endThread());
}

/* Only asked whether there are such lists: libc walks them itself when a thread ends. */
long __fathom_sys_get_robust_list(long tid, void **head, usize *size) {
  if ((int)tid != 0 && __fathom_findThread((int)tid) < 0) return -ESRCH;
  if (!head || !size) return -EFAULT;
  *head = 0;
  *size = 24;
  return 0;
}

void __fathom_unmap_self(void *base, unsigned long size) {
  __fathom_sys_munmap(base, size);
  __fathom_sys_exit(0);
  __builtin_unreachable();
}

/* Nothing arrives between two instructions: a cancellation ends the thread's wait (signal.c). */
long __fathom_cancellable_syscall(volatile void *cancel, long number, long a, long b, long c,
                                  long d, long e, long f) {
  (void)cancel;
  return __fathom_syscall(number, a, b, c, d, e, f);
}

void __fathom_preempted(void) { __fathom_yield(); }

/* The signal mask is a thread's own. */
void __fathom_switchTo(int self, int next) {
  unsigned long mask = __fathom_blockedSignals;
  (void)self;
  __fathom_thread_switch(next);
  __fathom_blockedSignals = mask;
}

/* A thread that waits for a signal may wait for one from outside. */
void __fathom_deadlocked(const void *const *waits, usize count) {
  if (__fathom_waitsForSignal()) __fathom_reportEndlessWait();
  __fathom_deadlock(waits, count);
}
