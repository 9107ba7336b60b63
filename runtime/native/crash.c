/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a fuzzing variant crashed: when FATHOM_CRASH_FILE names a file, fatal signals leave there a
 * struct fathom_crash (crash.h) with the calls that were active, and then do what they would have
 * done. The calls are found by frame pointers, which fuzzing variants keep; memory is read through
 * the kernel, which does not mind where a broken frame points.
 *
 * A program that handles such a signal itself replaces this, and has no stack then.
 */
#include "crash.h"

#include "../posix/syscalls.h"

#include <asm/sigcontext.h>
#include <asm/unistd.h>
#include <linux/uio.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */

struct action { /* the kernel's */
  void (*handler)(int, void *, void *);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};
struct context { /* the kernel's ucontext, as far as it matters */
  unsigned long flags, link, stack[3];
  struct sigcontext machine;
};
enum { kSigInfo = 4, kRestorer = 0x04000000, kOnStack = 0x08000000, kResetHand = (int)0x80000000 };
enum { kTrap = 5, kAbort = 6, kSegv = 11 };

static const char *file;
static byte handlerStack[16384];

/* The handler's end, as the kernel wants it. */
__asm__(".text\n.global __fathom_crash_return\n.type "
        "__fathom_crash_return,@function\n__fathom_crash_return:\n"
        "  mov $15, %eax\n  syscall\n  hlt\n"
        ".size __fathom_crash_return, .-__fathom_crash_return");
void __fathom_crash_return(void);

static int readWords(unsigned long from, unsigned long *to, usize count) {
  struct iovec here = {to, count * sizeof *to}, there = {(void *)from, count * sizeof *to};
  long self = __fathom_kernel(__NR_getpid, 0, 0, 0, 0, 0, 0);
  return __fathom_kernel(__NR_process_vm_readv, self, (long)&here, 1, (long)&there, 1, 0) ==
         (long)(count * sizeof *to);
}

void __fathom_leaveCrash(struct fathom_crash *crash, unsigned long frame) {
  unsigned long next[2];
  if (!file) return;
  crash->magic = FATHOM_CRASH_MAGIC;
  while (crash->count < FATHOM_CRASH_CALLS && frame && readWords(frame, next, 2) && next[1]) {
    crash->calls[crash->count++] = next[1];
    if (next[0] <= frame) break; /* the stack's end, or a broken frame */
    frame = next[0];
  }
  long fd = __fathom_kernel(__NR_open, (long)file, 01101 /* O_WRONLY | O_CREAT | O_TRUNC */, 0600,
                            0, 0, 0);
  if (fd >= 0) __fathom_kernel(__NR_write, fd, (long)crash, sizeof *crash, 0, 0, 0);
}

/* ---- a check that failed ---- */

static void say(const char *text) {
  usize length = 0;
  while (text[length]) length++;
  __fathom_kernel(__NR_write, 2, (long)text, (long)length, 0, 0, 0);
}

static const char *const checks[] = {"",
#define FATHOM_CHECK_TEXT(name, text) text,
                                     FATHOM_CHECKS(FATHOM_CHECK_TEXT)};

_Noreturn void __fathom_checkFailed(struct fathom_crash *crash, unsigned long call,
                                    unsigned long frame) {
  const struct action standard = {0, kRestorer, __fathom_crash_return, 0};
  const unsigned long everything = ~0ul;
  crash->signal = kAbort;
  crash->calls[crash->count++] = call - 1; /* within the call */
  say(crash->check < FATHOM_CHECK_SignedOverflow ? "==1==ERROR: AddressSanitizer: "
                                                 : "runtime error: ");
  say(checks[crash->check]);
  say("\n");
  __fathom_leaveCrash(crash, frame);
  __fathom_kernel(__NR_rt_sigaction, kAbort, (long)&standard, 0, 8, 0, 0);
  __fathom_kernel(__NR_rt_sigprocmask, 1 /* SIG_UNBLOCK */, (long)&everything, 0, 8, 0, 0);
  __fathom_kernel(__NR_kill, __fathom_kernel(__NR_getpid, 0, 0, 0, 0, 0, 0), kAbort, 0, 0, 0, 0);
  for (;;) __fathom_kernel(__NR_exit_group, 134, 0, 0, 0, 0, 0);
}

static void onSignal(int signal, void *info, void *where) {
  const struct sigcontext *at = &((struct context *)where)->machine;
  static struct fathom_crash crash; /* too large for a handler's stack */
  crash.signal = (unsigned long)signal;
  crash.code = (unsigned long)(long)((int *)info)[2];
  crash.address = signal == kAbort ? 0 : ((unsigned long *)info)[2];
  crash.stackPointer = at->rsp;
  crash.isWrite = signal == kSegv && (at->err & 2);
  crash.calls[crash.count++] = at->rip;
  __fathom_leaveCrash(&crash, at->rbp);
  /* A fault happens again when we return, now without handler; a signal that was sent has to be
   * sent again. */
  if ((int)crash.code <= 0)
    __fathom_kernel(__NR_tkill, __fathom_kernel(__NR_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0, 0);
}

void __fathom_catchCrashes(const char *name) {
  static const int fatal[] = {4 /* ILL */, kTrap, kAbort, 7 /* BUS */,
                              8 /* FPE */, kSegv, 31 /* SYS */};
  file = name;
  struct {
    void *at;
    int flags;
    usize size;
  } stack = {handlerStack, 0, sizeof handlerStack};
  __fathom_kernel(__NR_sigaltstack, (long)&stack, 0, 0, 0, 0, 0);
  struct action action = {onSignal,
                          (unsigned long)(unsigned)(kSigInfo | kRestorer | kOnStack | kResetHand),
                          __fathom_crash_return, 0};
  for (usize i = 0; i < sizeof fatal / sizeof *fatal; i++)
    __fathom_kernel(__NR_rt_sigaction, fatal[i], (long)&action, 0, 8, 0, 0);
}
