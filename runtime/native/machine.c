/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * System calls of native trace variants. What a program asks about the machine is answered as the
 * model answers it (posix/machine.c): a test that was found with one processor, 4 GiB of memory and
 * a certain time replays with them. Everything else goes to the kernel.
 */
#include "../posix/syscalls.h"
#include "allocation.h"
#include "keptmaps.h"
#include "replay.h"
#include "thread.h"
#include "world.h"
#include <asm/unistd.h>
#include <linux/auxvec.h>
#include <linux/mman.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

/* ---- what machine.c asks of the rest of the model ---- */

unsigned __fathom_uid;
long __fathom_sys_getuid(void) { return __fathom_kernel(__NR_getuid, 0, 0, 0, 0, 0, 0); }

long __fathom_pinned(long value, const char *why) {
  (void)why;
  return value;
}
usize __fathom_countFrom(const void *buffer, usize count, usize most, const char *why) {
  (void)buffer, (void)why;
  return count < most ? count : most;
}

/* ---- the calls ---- */

/* The model's /proc has nothing but self/fd. */
static int isUnmodelled(const char *path) {
  static const char proc[] = "/proc/", modelled[] = "/proc/self/fd";
  if (!path) return 0;
  usize same = 0;
  while (modelled[same] && path[same] == modelled[same]) same++;
  return same >= sizeof proc - 1 && same < sizeof modelled - 1;
}

/* Real timers and other processes go by real time; as long as there are none, waiting only moves
 * the clock. With several threads it is the scheduler's always: the one that runs must not keep the
 * others from it. */
static int realTimers;
static int inRealTime(void) { return realTimers && __fathom_threadCount == 1; }

/* ---- what the scheduler asks ---- */

int __fathom_passTime(struct fathom_time duration) {
  __fathom_clock = fathomAdd(__fathom_clock, duration);
  return 0;
}
int __fathom_nextAlarm(void) { return -1; } /* the kernel's, if there are any */

/* ---- waiting ---- */

static long sleepFor(const struct fathom_time *request) {
  if (!request) return -EFAULT;
  if (!fathomIsValid(*request)) return -EINVAL;
  return __fathom_sleep(*request);
}

static long sleepUntil(long clock, const struct fathom_time *moment) {
  if (!moment) return -EFAULT;
  if (!fathomIsValid(*moment)) return -EINVAL;
  struct fathom_time now;
  long status = __fathom_sys_clock_gettime(clock, &now);
  if (status < 0 || !fathomBefore(now, *moment)) return status;
  struct fathom_time duration = fathomSubtract(*moment, now);
  return sleepFor(&duration);
}

static long clockSleep(long clock, long flags, const struct fathom_time *time) {
  enum { kAbsolute = 1 /* TIMER_ABSTIME */ };
  long status = __fathom_checkSleepClock(clock);
  if (status < 0) return status;
  return flags & kAbsolute ? sleepUntil(clock, time) : sleepFor(time);
}

/* What is ready is ready at once; when nothing is, other threads have their turn and time passes,
 * as in posix/poll.c. 0: look again; otherwise *result is what the call returns. */
static int waitInVain(const struct fathom_time *until, long *result) {
  struct fathom_time left;
  if (until) {
    left = fathomSubtract(*until, __fathom_clock);
    if (left.sec < 0 || (left.sec == 0 && left.nsec == 0)) {
      __fathom_yield();
      *result = 0;
      return 1;
    }
  }
  long status = __fathom_waitForEvent(until ? &left : 0);
  *result = status == -ETIMEDOUT ? 0 : status;
  return status != 0;
}

/* A call that waits for descriptors, with its timeout put apart. */
struct wait {
  long number, a, b, c, d, e, f;
  struct fathom_time until;
  int timed;
};

static long look(const struct wait *w) {
  struct fathom_time none = {0, 0};
  long no[2] = {0, 0};
  switch (w->number) {
  case __NR_poll: return __fathom_kernel(w->number, w->a, w->b, 0, 0, 0, 0);
  case __NR_ppoll: return __fathom_kernel(w->number, w->a, w->b, (long)&none, w->d, w->e, 0);
  case __NR_select: return __fathom_kernel(w->number, w->a, w->b, w->c, w->d, (long)no, 0);
  case __NR_rt_sigtimedwait: {
    long signal = __fathom_kernel(w->number, w->a, w->b, (long)&none, w->d, 0, 0);
    return signal == -EAGAIN ? 0 : signal;
  }
  default: return __fathom_kernel(w->number, w->a, w->b, w->c, w->d, (long)&none, w->f);
  }
}

enum { kSetWords = FATHOM_NOFILE / 64 };

/* The three sets of select: the kernel changes them at each look. */
static void copySets(unsigned long sets[3][kSetWords], const struct wait *w, int back) {
  unsigned long *const of[3] = {(unsigned long *)w->b, (unsigned long *)w->c,
                                (unsigned long *)w->d};
  const long words = (w->a + 63) / 64;
  for (int i = 0; i < 3; i++)
    for (long j = 0; of[i] && j < words && j < kSetWords; j++)
      if (back)
        of[i][j] = sets[i][j];
      else
        sets[i][j] = of[i][j];
}

static long waitUntilReady(struct wait *w, const struct fathom_time *timeout) {
  const int selects = w->number == __NR_select || w->number == __NR_pselect6;
  unsigned long sets[3][kSetWords];
  long result;
  if (timeout) {
    if (!fathomIsValid(*timeout)) return -EINVAL;
    w->until = fathomAdd(__fathom_clock, *timeout);
    w->timed = 1;
  }
  if (selects) copySets(sets, w, /*back=*/0);
  for (;;) {
    result = look(w);
    if (result != 0 || waitInVain(w->timed ? &w->until : 0, &result)) return result;
    if (selects) copySets(sets, w, /*back=*/1);
  }
}

static long selectFor(struct wait *w, long *timeout) {
  if (!timeout) return waitUntilReady(w, 0);
  if (timeout[0] < 0 || timeout[1] < 0) return -EINVAL;
  struct fathom_time time = {timeout[0] + timeout[1] / 1000000, timeout[1] % 1000000 * 1000};
  long ready = waitUntilReady(w, &time);
  if (ready == 0) timeout[0] = timeout[1] = 0;
  return ready;
}

/* Calls that wait: 1 when *result is what they return. */
static int waits(long number, long a, long b, long c, long d, long e, long f, long *result) {
  struct wait w = {number, a, b, c, d, e, f, {0, 0}, 0};
  const int alone = __fathom_threadCount == 1; /* then the kernel may wait for ever */
  switch (number) {
  case __NR_nanosleep: *result = sleepFor((const struct fathom_time *)a); return 1;
  case __NR_clock_nanosleep: *result = clockSleep(a, b, (const struct fathom_time *)c); return 1;
  case __NR_poll: {
    struct fathom_time timeout = {(int)c / 1000, (int)c % 1000 * 1000000};
    if ((int)c < 0 && alone) return 0;
    *result = waitUntilReady(&w, (int)c < 0 ? 0 : &timeout);
    return 1;
  }
  case __NR_ppoll:
    if (!c && alone) return 0;
    *result = waitUntilReady(&w, (const struct fathom_time *)c);
    return 1;
  case __NR_select:
    if (!e && alone) return 0;
    *result = selectFor(&w, (long *)e);
    return 1;
  case __NR_pselect6:
    if (!e && alone) return 0;
    *result = waitUntilReady(&w, (const struct fathom_time *)e);
    return 1;
  case __NR_rt_sigtimedwait:
    if (alone) return 0;
    *result = waitUntilReady(&w, (const struct fathom_time *)c);
    if (*result == 0) *result = -EAGAIN; /* its time is over */
    return 1;
  case __NR_futex:
    *result = __fathom_sys_futex((int *)a, b, c, (const struct fathom_time *)d, (int *)e, f);
    return 1;
  case __NR_sched_yield:
    __fathom_yield();
    *result = 0;
    return 1;
  default: return 0;
  }
}

/* ---- mappings that fail because they failed in the engine: those that ask the model for memory
 * ---- */

static int grows(long oldSize, long newSize, long flags) {
  enum { kMayMove = 1 };
  const long page = 4095;
  return flags == kMayMove && ((newSize + page) & ~page) > ((oldSize + page) & ~page);
}

static int isNewMapping(long size, long flags, long result) {
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) return 0;
  return (unsigned long)size <= 1ul << 46 && (result < -4095 || result >= 0 || result == -ENOMEM);
}

/* A test that is replayed: what the model refuses is refused here too, and so `env ARGUMENT` runs
 * no program of that name. */
static int isReplay;
/* Of a number that the program made of a pointer (addresses.c). */
static struct fathom_replay_hooks hooks;
static long place(long value) { return (long)hooks.placed((unsigned long)value); }

void __fathom_machine_replays(const struct fathom_replay_hooks *given) {
  isReplay = 1;
  hooks = *given;
  __fathom_world_start();
  __fathom_virtualTids();
}

/* defer.c, which only fuzzing variants have. */
extern void (*__fathom_early)(long number, long flags) __attribute__((weak));
extern int __fathom_earlyTid __attribute__((weak));

/* What libc knows as its own number may be that of the process it was forked from. */
static long ownedTid(long tid) {
  if (!&__fathom_earlyTid || !__fathom_earlyTid || tid != __fathom_earlyTid) return tid;
  return __fathom_kernel(__NR_gettid, 0, 0, 0, 0, 0, 0);
}

/* What only the kernel can do. */
static long systemCall(long number, const long *a) {
  const int maps = number == __NR_mmap || number == __NR_munmap || number == __NR_mprotect ||
                   number == __NR_mremap || number == __NR_pkey_mprotect;
  long result;
  if (!maps || !&__fathom_keptMapCall)
    return __fathom_kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (__fathom_keptMapCall(number, a, &result)) return result;
  result = __fathom_kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  __fathom_mapMade(number, a, result);
  return result;
}

long __fathom_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  if (&__fathom_early && __builtin_expect(__fathom_early != 0, 0)) __fathom_early(number, d);
  if (isReplay) { /* libc passes pointers as numbers */
    a = place(a), b = place(b), c = place(c), d = place(d), e = place(e), f = place(f);
    if (number == __NR_pselect6 && f) *(long *)f = place(*(long *)f); /* of the mask */
  }
  if (isReplay && __fathom_worldCall(number, a, b, c, d, e, &result)) {
    __fathom_afterCall(number);
    return result;
  }
  switch (number) {
  case __NR_execve:
  case __NR_execveat:
  case __NR_ptrace:
    if (isReplay) return -ENOSYS;
    break;
  case __NR_socket:
  case __NR_socketpair:
    if (isReplay) return -EAFNOSUPPORT;
    break;
  case __NR_open:
    if (isUnmodelled((const char *)a)) return -ENOENT;
    break;
  case __NR_openat:
    if (isUnmodelled((const char *)b)) return -ENOENT;
    break;
  case __NR_mincore: return -ENOSYS;
  case __NR_uname: return __fathom_sys_uname((void *)a);
  case __NR_sysinfo: return __fathom_sys_sysinfo((void *)a);
  case __NR_sched_getaffinity: return __fathom_sys_sched_getaffinity((usize)b, (unsigned long *)c);
  case __NR_getcpu: return __fathom_sys_getcpu((unsigned *)a, (unsigned *)b);
  case __NR_getrlimit: return __fathom_sys_prlimit64(0, a, 0, (void *)b);
  case __NR_setrlimit: return __fathom_sys_prlimit64(0, a, (const void *)b, 0);
  case __NR_prlimit64:
    if (a != 0) break;
    return __fathom_sys_prlimit64(0, b, (const void *)c, (void *)d);
  case __NR_getrandom: return __fathom_sys_getrandom((void *)a, (usize)b, c);
  case __NR_clock_gettime: return __fathom_sys_clock_gettime(a, (struct fathom_time *)b);
  case __NR_clock_getres: return __fathom_sys_clock_getres(a, (struct fathom_time *)b);
  case __NR_gettimeofday: return __fathom_sys_gettimeofday((long *)a);
  case __NR_time: return __fathom_sys_time((long *)a);
  case __NR_times: return __fathom_sys_times((struct tms *)a);
  case __NR_getrusage: return __fathom_sys_getrusage(a, (long *)b);
  case __NR_alarm:
  case __NR_setitimer:
  case __NR_timer_create: realTimers = 1; break;
  case __NR_fork:
  case __NR_vfork:
  case __NR_clone: /* of threads: __fathom_clone */
  case __NR_clone3:
    if (isReplay) return -ENOSYS;
    realTimers = 1;
    break;
  case __NR_read:
  case __NR_readv:
  case __NR_write:
  case __NR_writev:
    if (!__fathom_transfer(number, a, b, c, &result)) break;
    __fathom_afterCall(number);
    return result;
  case __NR_exit: __fathom_leave(); break;
  case __NR_set_tid_address: /* what the kernel clears is how turns are given */
    __fathom_setClearTid((int *)a);
    return __fathom_ownTid();
  case __NR_tkill:
  case __NR_tgkill:
    if (!__fathom_signalThread((int)(number == __NR_tkill ? a : b),
                               (int)(number == __NR_tkill ? b : c), &result)) {
      if (isReplay)
        result =
            __fathom_signalSelf((int)(number == __NR_tkill ? a : b), number == __NR_tkill ? b : c);
      else
        result = number == __NR_tkill ? __fathom_kernel(number, ownedTid(a), b, 0, 0, 0, 0)
                                      : __fathom_kernel(number, a, ownedTid(b), c, 0, 0, 0);
    }
    __fathom_afterCall(number);
    return result;
  }
  if (!inRealTime() && waits(number, a, b, c, d, e, f, &result)) return result;
  if (number == __NR_mremap && grows(b, c, d) && __fathom_mappingFails()) return -ENOMEM;
  if (!isReplay || !hooks.map(number, a, b, c, d, e, f, &result))
    result = systemCall(number, (const long[]){a, b, c, d, e, f});
  if (number == __NR_mmap && isNewMapping(b, d, result) && __fathom_mappingFails()) {
    if (result != -ENOMEM && isReplay) hooks.forgetMap((unsigned long)result);
    if (result != -ENOMEM) systemCall(__NR_munmap, (const long[6]){result, b});
    result = -ENOMEM;
  }
  __fathom_afterCall(number);
  return result;
}

/* `stack` as the kernel made it. The model's libc gets its 16 random bytes from the same source. */
void __fathom_machine_start(long *stack) {
  __fathom_uid = (unsigned)__fathom_kernel(__NR_getuid, 0, 0, 0, 0, 0, 0);
  long *at = stack + stack[0] + 2;
  while (*at) at++;
  for (at++; at[0] != AT_NULL; at += 2)
    if (at[0] == AT_RANDOM) __fathom_randomBytes((byte *)at[1], 16);
}
