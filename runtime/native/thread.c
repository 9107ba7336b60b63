/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of native trace variants. They are the kernel's, but take turns as the scheduler of the
 * model (posix/schedule.c, which is compiled here as well) has it: each waits for its turn at a
 * futex of its own, and gives the turn to another one where the model switches. So a test runs with
 * the schedule that it was found with, on any number of processors, and the branches of its threads
 * come in the order in which the engine saw them.
 */
#include "thread.h"

#include "../posix/schedule.h"
#include "../posix/syscalls.h"

#include <asm/unistd.h>
#include <linux/futex.h>
#include <linux/sched.h>

enum { kAbort = 6, kCancel = 33 };

void __fathom_beginSlice(void); /* trace.c */
void __fathom_hasTurn(int thread);
void __fathom_preempted(void);

static struct turn {
  int waits; /* a futex: 1 until it is this thread's turn */
  int (*function)(void *);
  void *argument;
} turns[FATHOM_MAX_THREADS];

static void waitForTurn(int thread) {
  int *waits = &turns[thread].waits;
  while (__atomic_load_n(waits, __ATOMIC_SEQ_CST))
    __fathom_kernel(__NR_futex, (long)waits, FUTEX_WAIT, 1, 0, 0, 0);
  *waits = 1;
  __fathom_hasTurn(thread);
  __fathom_beginSlice();
}

void __fathom_switchTo(int self, int next) {
  turns[self].waits = 1;
  __atomic_store_n(&turns[next].waits, 0, __ATOMIC_SEQ_CST);
  __fathom_kernel(__NR_futex, (long)&turns[next].waits, FUTEX_WAKE, 1, 0, 0, 0);
  waitForTurn(self);
}

void __fathom_preempted(void) { __fathom_yield(); }

/* ---- numbers ---- */

static int lastTid; /* 0: the kernel's numbers are used */

void __fathom_virtualTids(void) {
  lastTid = kPid;
  __fathom_setTid(0, kPid);
}

static int realTid(void) { return (int)__fathom_kernel(__NR_gettid, 0, 0, 0, 0, 0, 0); }
int __fathom_ownTid(void) { return lastTid ? __fathom_tid() : realTid(); }

long __fathom_signalSelf(int tid, long signal) {
  if (tid <= 0) return -EINVAL;
  if (tid != __fathom_tid()) return -ESRCH;
  return __fathom_kernel(__NR_tkill, realTid(), signal, 0, 0, 0, 0);
}

/* ---- beginning ---- */

/* As __fathom_clone, with the kernel's thread. */
long __fathom_raw_clone(int (*function)(void *), void *stack, int flags, void *argument,
                        int *parentTid, void *threadPointer, int *clearTid);
__asm__(".text\n.type __fathom_raw_clone,@function\n__fathom_raw_clone:\n"
        "  and $-16, %rsi\n  sub $16, %rsi\n  mov %rdi, (%rsi)\n  mov %rcx, 8(%rsi)\n"
        "  mov %rdx, %rdi\n  mov %r8, %rdx\n  mov %r9, %r8\n  mov 8(%rsp), %r10\n"
        "  mov $56, %eax\n  syscall\n  test %eax, %eax\n  jz 1f\n  ret\n"
        "1:\n  xor %ebp, %ebp\n  pop %rax\n  pop %rdi\n  call *%rax\n  hlt\n"
        ".size __fathom_raw_clone, .-__fathom_raw_clone");

static int threadMain(void *number) {
  struct turn *turn = &turns[(long)number];
  waitForTurn((int)(long)number);
  __fathom_syscall(__NR_exit, turn->function(turn->argument), 0, 0, 0, 0, 0);
  __builtin_unreachable();
}

long __fathom_clone(int (*function)(void *), void *stack, int flags, void *argument, int *parentTid,
                    void *threadPointer, int *clearTid) {
  static int several;
  const int thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
  if ((flags & thread) != thread) return -ENOSYS; /* as in the model */
  if (!several) {                                 /* from now on there are turns */
    several = 1;
    if (!lastTid) __fathom_setTid(0, realTid());
    __fathom_beginSlice();
  }
  long number = __fathom_addThread(flags & CLONE_CHILD_CLEARTID ? clearTid : 0);
  if (number < 0) return number;
  struct turn turn = {1, function, argument};
  turns[number] = turn;
  /* Clearing clearTid is the scheduler's. */
  int kernelFlags = flags & ~CLONE_CHILD_CLEARTID;
  if (lastTid) kernelFlags &= ~CLONE_PARENT_SETTID;
  long tid = __fathom_raw_clone(threadMain, stack, kernelFlags, (void *)number, parentTid,
                                threadPointer, 0);
  if (tid < 0) {
    __fathom_dropThread((int)number);
    return tid;
  }
  if (lastTid) {
    tid = ++lastTid;
    if (flags & CLONE_PARENT_SETTID) *parentTid = (int)tid;
  }
  __fathom_setTid((int)number, (int)tid);
  return tid;
}

/* ---- ending ---- */

/* The turn is given by the kernel: it sets this futex to 0 and wakes its waiter when this thread
 * has left its stack for good, which the others may unmap. */
void __fathom_leave(void) {
  if (__fathom_threadCount > 1)
    __fathom_kernel(__NR_set_tid_address, (long)&turns[__fathom_endThread()].waits, 0, 0, 0, 0, 0);
}

void __fathom_unmap_self(void *base, unsigned long size) {
  __fathom_leave();
  __asm__ volatile("syscall\n  mov $60, %%eax\n  xor %%edi, %%edi\n  syscall\n  hlt"
                   :
                   : "a"((long)__NR_munmap), "D"(base), "S"(size)
                   : "rcx", "r11", "memory");
  __builtin_unreachable();
}

/* ---- signals and cancellation ---- */

int __fathom_signalThread(int tid, int signal, long *result) {
  if (__fathom_threadCount == 1 || tid == __fathom_tid()) return 0;
  int thread = __fathom_findThread(tid);
  *result = thread < 0 || (signal != 0 && signal != kCancel) ? -ESRCH : 0;
  if (thread >= 0 && signal == kCancel) __fathom_interrupt(thread);
  return 1;
}

long __fathom_cancellable_syscall(volatile void *cancel, long number, long a, long b, long c,
                                  long d, long e, long f) {
  (void)cancel;
  return __fathom_syscall(number, a, b, c, d, e, f);
}

/* ---- deadlock ---- */

void __fathom_deadlocked(const void *const *waits, usize count) {
  static const char message[] = "fathom: deadlock: every thread waits for another one\n";
  const long defaultAction[4] = {0};
  (void)waits, (void)count;
  __fathom_kernel(__NR_write, 2, (long)message, sizeof message - 1, 0, 0, 0);
  __fathom_kernel(__NR_rt_sigaction, kAbort, (long)defaultAction, 0, 8, 0, 0);
  const unsigned long none = 0;
  __fathom_kernel(__NR_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&none, 0, 8, 0, 0);
  __fathom_kernel(__NR_tkill, __fathom_kernel(__NR_gettid, 0, 0, 0, 0, 0, 0), kAbort, 0, 0, 0, 0);
  for (;;) __fathom_kernel(__NR_exit_group, 128 + kAbort, 0, 0, 0, 0, 0);
}
