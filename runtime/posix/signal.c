/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Signals that the process sends to itself (kill, raise, abort, alarms, SIGPIPE). A handler is
 * called from inside the system call that makes its signal deliverable; nothing arrives from
 * outside, and never between two instructions. A handler that leaves by longjmp is fine: nothing
 * here is on the stack but the mask, which siglongjmp restores.
 */
#include "syscalls.h"
#include <linux/signal.h>

enum { kSignals = 64, kSignalInfoBytes = 128, kContextBytes = 1024 };

static struct sigaction actions[kSignals + 1];
unsigned long __fathom_blockedSignals;
static unsigned long pending;

/* Threads that wait for a signal in pause or sigsuspend (its handler ends the wait, whichever
 * thread the signal was for) or in sigtimedwait, which takes it itself. */
static struct waiting {
  byte how;
  unsigned long blocked; /* kForHandler: the mask while it waits */
  unsigned long given;   /* signals to the process that this thread is to handle */
} waiting[FATHOM_MAX_THREADS];
enum { kNotWaiting = 0, kForHandler, kToTake };

static unsigned long bit(int signal) { return 1ul << (signal - 1); }

static int ignoredByDefault(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

static int stopsByDefault(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void callHandler(int signal, struct sigaction *action, int code, void *address) {
  typedef void (*plainHandler)(int);
  typedef void (*infoHandler)(int, void *, void *);
  union {
    int words[kSignalInfoBytes / 4];
    siginfo_t align;
  } info;
  byte context[kContextBytes] __attribute__((aligned(16)));
  void *handler = (void *)action->sa_handler;
  unsigned long flags = action->sa_flags, old = __fathom_blockedSignals;
  __fathom_blockedSignals |= action->sa_mask | (flags & SA_NODEFER ? 0 : bit(signal));
  if (flags & SA_RESETHAND) action->sa_handler = SIG_DFL;
  /* The thread runs: its turn can end inside of the handler, and come again. */
  __fathom_interrupt(__fathom_thread);
  waiting[__fathom_thread].how = kNotWaiting;
  if (flags & SA_SIGINFO) {
    fathomZero(&info, sizeof info);
    fathomZero(context, sizeof context);
    info.words[0] = signal;
    info.words[2] = code;
    *(void **)(info.words + 4) = address;
    ((infoHandler)handler)(signal, &info, context);
  } else {
    ((plainHandler)handler)(signal);
  }
  __fathom_blockedSignals = old;
}

/* One signal that is not blocked; 1 if a handler ran. */
static int deliver(int signal) {
  struct sigaction *action = &actions[signal];
  if (action->sa_handler == SIG_IGN && signal != SIGKILL && signal != SIGSTOP) return 0;
  if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
    callHandler(signal, action, 0, 0);
    return 1;
  }
  if (stopsByDefault(signal)) {
    __fathom_ledger("environment", "a signal that stops the process is ignored");
    return 0;
  }
  if (!ignoredByDefault(signal)) __fathom_killed(signal);
  return 0;
}

/* What an instruction did that failed (--run-fault-handlers): the engine calls this in its place.
 * It would fail again when a handler returns, and a signal that is blocked or ignored ends the
 * program. */
void __fathom_fault_ends(void) __attribute__((noreturn)); /* the engine's */
void __fathom_raiseFault(int signal, void *address) {
  enum { kFirstCode = 1 }; /* FPE_INTDIV, SEGV_MAPERR */
  struct sigaction *action = &actions[signal];
  if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN &&
      !(__fathom_blockedSignals & bit(signal)))
    callHandler(signal, action, kFirstCode, address);
  __fathom_fault_ends();
}

static int deliverPending(void) {
  int ran = 0;
  while (pending & ~__fathom_blockedSignals) {
    int signal = 1;
    while (!(pending & ~__fathom_blockedSignals & bit(signal))) signal++;
    pending &= ~bit(signal);
    ran |= deliver(signal);
  }
  return ran;
}

/* Returns 1 if a handler ran. */
long __fathom_sendSignal(int signal) {
  pending |= bit(signal);
  if (signal == SIGKILL || signal == SIGSTOP) {
    pending &= ~bit(signal);
    return deliver(signal);
  }
  return deliverPending();
}

/* A thread that waits for this signal to the process, or -1. The first thread takes it rather than
 * others if it can, as Linux has it. */
static int whoWaitsFor(int signal) {
  if (__fathom_thread == 0 && !(__fathom_blockedSignals & bit(signal))) return -1;
  for (int i = 0; i < FATHOM_MAX_THREADS; i++)
    if (waiting[i].how == kForHandler && !(waiting[i].blocked & bit(signal))) return i;
  return -1;
}

long __fathom_signalProcess(int signal) {
  const struct sigaction *action = &actions[signal];
  const int handled = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
  const int thread = handled ? whoWaitsFor(signal) : -1;
  if (thread < 0 || thread == __fathom_thread) return __fathom_sendSignal(signal);
  waiting[thread].given |= bit(signal);
  __fathom_eventHappened();
  return 0;
}

int __fathom_waitsForSignal(void) {
  for (int i = 0; i < FATHOM_MAX_THREADS; i++)
    if (waiting[i].how) return 1;
  return 0;
}

static long sendToSelf(long signal, long (*send)(int)) {
  signal = __fathom_pinned((int)signal, "signal to send");
  if (signal < 0 || signal > kSignals) return -EINVAL;
  if (signal) send((int)signal);
  return 0;
}

long __fathom_sys_kill(long process, long signal) {
  process = __fathom_pinned((int)process, "process to send a signal to");
  if (process == kPid || process == -kPid || process == 0)
    return sendToSelf(signal, __fathom_signalProcess);
  if ((int)signal < 0 || (int)signal > kSignals) return -EINVAL;
  if ((int)signal != 0)
    __fathom_ledger("environment", "a signal to another process is not sent: ESRCH");
  return -ESRCH;
}

/* To a thread: to the one that runs as to the process. libc's own signal of pthread_cancel ends
 * what another thread waits for, and libc does the rest when the wait returns. */
static long sendToThread(long tid, long signal) {
  enum { kCancel = 33 };
  if ((int)tid == __fathom_tid()) return sendToSelf(signal, __fathom_sendSignal);
  int thread = __fathom_findThread((int)tid);
  if (thread < 0) return -ESRCH;
  if ((int)signal < 0 || (int)signal > kSignals) return -EINVAL;
  if ((int)signal == 0) return 0;
  if ((int)signal == kCancel) {
    __fathom_interrupt(thread);
    return 0;
  }
  __fathom_ledger("environment", "a signal to another thread is not sent: ESRCH");
  return -ESRCH;
}

long __fathom_sys_tgkill(long process, long thread, long signal) {
  if ((int)process <= 0 || (int)thread <= 0) return -EINVAL;
  return (int)process == kPid ? sendToThread(thread, signal) : -ESRCH;
}

long __fathom_sys_tkill(long thread, long signal) {
  return (int)thread <= 0 ? -EINVAL : sendToThread(thread, signal);
}

long __fathom_sys_rt_sigaction(long signal, const void *action, void *old, usize setSize) {
  signal = __fathom_pinned((int)signal, "signal whose action is set");
  if (setSize != sizeof(unsigned long) || signal < 1 || signal > kSignals) return -EINVAL;
  if (action && (signal == SIGKILL || signal == SIGSTOP)) return -EINVAL;
  struct sigaction *slot = &actions[signal], previous = *slot;
  if (action) {
    *slot = *(const struct sigaction *)action;
    slot->sa_mask &= ~(bit(SIGKILL) | bit(SIGSTOP));
    int ignored = slot->sa_handler == SIG_IGN ||
                  (slot->sa_handler == SIG_DFL && ignoredByDefault((int)signal));
    if (ignored) pending &= ~bit((int)signal);
  }
  if (old) *(struct sigaction *)old = previous;
  return 0;
}

long __fathom_sys_rt_sigprocmask(long how, const unsigned long *set, unsigned long *old,
                                 usize setSize) {
  if (setSize != sizeof(unsigned long)) return -EINVAL;
  unsigned long previous = __fathom_blockedSignals;
  if (set) {
    unsigned long wanted = *set & ~(bit(SIGKILL) | bit(SIGSTOP));
    switch ((int)how) {
    case SIG_BLOCK: __fathom_blockedSignals |= wanted; break;
    case SIG_UNBLOCK: __fathom_blockedSignals &= ~wanted; break;
    case SIG_SETMASK: __fathom_blockedSignals = wanted; break;
    default: return -EINVAL;
    }
  }
  if (old) *old = previous;
  deliverPending();
  return 0;
}

long __fathom_sys_rt_sigpending(unsigned long *out, usize setSize) {
  if (setSize > sizeof(unsigned long)) return -EINVAL;
  if (!out) return -EFAULT;
  *out = pending & __fathom_blockedSignals;
  return 0;
}

void __fathom_reportEndlessWait(void) {
  __fathom_unsupported("the program waits for a signal that nothing in the model sends");
}

/* Until something happens that can be a signal: other threads run, or an alarm rings. Returns what
 * __fathom_waitForEvent does, but for -EDEADLK. */
static long waitForSignal(const struct fathom_time *timeout, int how) {
  struct waiting *me = &waiting[__fathom_thread];
  me->how = (byte)how;
  me->blocked = __fathom_blockedSignals;
  long status = __fathom_waitForEvent(timeout);
  if (status == -EDEADLK) {
    int ran = __fathom_nextAlarm();
    if (ran < 0) __fathom_reportEndlessWait();
    status = ran ? -EINTR : 0;
  }
  me->how = kNotWaiting;
  pending |= me->given;
  me->given = 0;
  return status;
}

/* Until a handler has run. */
static long waitForHandler(void) {
  while (!deliverPending())
    if (waitForSignal(0, kForHandler) == -EINTR) break;
  deliverPending();
  return -EINTR;
}

long __fathom_sys_pause(void) { return waitForHandler(); }

long __fathom_sys_rt_sigsuspend(const unsigned long *mask, usize setSize) {
  if (setSize != sizeof(unsigned long)) return -EINVAL;
  if (!mask) return -EFAULT;
  unsigned long old = __fathom_blockedSignals;
  __fathom_blockedSignals = *mask & ~(bit(SIGKILL) | bit(SIGSTOP));
  waitForHandler();
  __fathom_blockedSignals = old;
  deliverPending();
  return -EINTR;
}

long __fathom_sys_rt_sigtimedwait(const unsigned long *set, void *info,
                                  const struct fathom_time *timeout, usize setSize) {
  if (setSize != sizeof(unsigned long)) return -EINVAL;
  if (!set) return -EFAULT;
  struct fathom_time until;
  if (timeout) until = fathomAdd(__fathom_clock, *timeout);
  for (;;) {
    unsigned long ready = pending & *set;
    for (int signal = 1; ready && signal <= kSignals; signal++) {
      if (!(ready & bit(signal))) continue;
      pending &= ~bit(signal);
      if (info) {
        fathomZero(info, kSignalInfoBytes);
        *(int *)info = signal;
      }
      return signal;
    }
    if (timeout && !fathomBefore(__fathom_clock, until)) return -EAGAIN;
    struct fathom_time left;
    if (timeout) left = fathomSubtract(until, __fathom_clock);
    long status = waitForSignal(timeout ? &left : 0, kToTake);
    if (status == -EINTR && !(pending & *set)) return -EINTR;
  }
}

/* Handlers run on the ordinary stack; what was set is remembered. */
long __fathom_sys_sigaltstack(const stack_t *stack, stack_t *old) {
  static stack_t current = {0, SS_DISABLE, 0};
  stack_t previous = current;
  if (stack) {
    if (stack->ss_flags & ~SS_DISABLE) return -EINVAL;
    if (!(stack->ss_flags & SS_DISABLE) && stack->ss_size < MINSIGSTKSZ) return -ENOMEM;
    current = *stack;
    if (stack->ss_flags & SS_DISABLE) {
      current.ss_sp = 0;
      current.ss_size = 0;
    }
  }
  if (old) *old = previous;
  return 0;
}
