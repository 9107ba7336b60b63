/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The fork server begins as late as it can (AFL++ calls it deferred): what a program does before it
 * asks the system for anything that could depend on the input is done once, and not by every
 * process. Programs that build tables or an interpreter first gain most of their time.
 *
 * Until then a program has only computed, and got memory, the time or numbers that are the same in
 * every run; so a process that is forked here goes on as one that has begun anew. The fork server
 * begins before the first other system call (reading, opening, threads, handlers of signals ...),
 * and at once
 *
 *   - when the program crashes before: the processes repeat the instruction and crash;
 *   - when it has computed for a fifth of a second: it may never end.
 *
 * AFL++ clears the map before each input: what was covered before the fork is put there again.
 */
#include "../posix/syscalls.h"

#include <asm/unistd.h>
#include <linux/mman.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */
int __fathom_fuzz_serve(void);    /* fuzz.c; returns in children (1), and where there is no AFL++ */
void __fathom_crash_return(void); /* crash.c: the end of a handler */
extern const unsigned __fathom_fuzz_counters;
extern byte *__fathom_fuzz_map;

/* The number that the program has seen as its own before the fork; 0: none. */
int __fathom_earlyTid;

/* Asked before every system call; null: the fork server has begun, or there is none. */
void (*__fathom_early)(long number, long flags);

struct action { /* the kernel's */
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};
enum { kRestorer = 0x04000000, kOnStack = 0x08000000, kAlarm = 14, kDisabled = 2 };

static const int caught[] = {4 /* ILL */, 5 /* TRAP */,  7 /* BUS */,
                             8 /* FPE */, 11 /* SEGV */, kAlarm};
static byte handlerStack[16384];

static long call3(long number, long a, long b, long c) {
  return __fathom_kernel(number, a, b, c, 0, 0, 0);
}

static void handle(void (*handler)(int)) {
  struct action action = {handler, (unsigned long)(kRestorer | kOnStack), __fathom_crash_return, 0};
  for (usize i = 0; i < sizeof caught / sizeof *caught; i++)
    __fathom_kernel(__NR_rt_sigaction, caught[i], (long)&action, 0, 8, 0, 0);
}

static void setTimer(long microseconds) {
  const long times[4] = {0, 0, 0, microseconds};
  call3(__NR_setitimer, 0 /* ITIMER_REAL */, (long)times, 0);
}

static void setStack(int isUsed) {
  struct {
    void *at;
    int flags;
    usize size;
  } stack = {handlerStack, isUsed ? 0 : kDisabled, sizeof handlerStack};
  call3(__NR_sigaltstack, (long)&stack, 0, 0);
}

static void begin(void) {
  const usize counters = __fathom_fuzz_counters;
  byte *covered = 0; /* null: nothing */
  if (!__fathom_early) return;
  __fathom_early = 0;
  __fathom_earlyTid = (int)call3(__NR_gettid, 0, 0, 0);
  setTimer(0);
  handle(0);
  for (usize i = 0; i < counters && !covered; i++)
    if (__fathom_fuzz_map[i]) {
      long at = __fathom_kernel(__NR_mmap, 0, (long)counters, 3, 0x22, -1, 0);
      if (at < 0 && at > -4096) call3(__NR_exit_group, 1, 0, 0);
      covered = (byte *)at;
      __builtin_memcpy(covered, __fathom_fuzz_map, counters);
    }
  if (__fathom_fuzz_serve() && covered)
    for (usize i = 0; i < counters; i++) __fathom_fuzz_map[i] = covered[i];
}

static void onSignal(int signal) {
  (void)signal;
  begin();
}

static void early(long number, long flags) {
  switch (number) {
  case __NR_mmap:
    /* Not shared: processes of different inputs would share it. */
    if ((flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) == MAP_PRIVATE) return;
    break;
  case __NR_brk:
  case __NR_munmap:
  case __NR_mprotect:
  case __NR_mremap:
  case __NR_madvise:
  case __NR_arch_prctl:
  case __NR_set_tid_address:
  case __NR_clock_gettime:
  case __NR_gettimeofday:
  case __NR_time:
  case __NR_getrandom:
  case __NR_uname:
  case __NR_sysinfo:
  case __NR_getuid:
  case __NR_geteuid:
  case __NR_getgid:
  case __NR_getegid: return;
  default: break;
  }
  begin();
  setStack(/*isUsed=*/0); /* not in a handler: it is in use there */
}

/* Instead of serving at once. */
void __fathom_serveLater(void) {
  setStack(/*isUsed=*/1);
  handle(onSignal);
  setTimer(200000);
  __fathom_early = early;
}
