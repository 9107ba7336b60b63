/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * System calls of native trace variants. What a program asks about the machine is answered as the
 * model answers it (posix/machine.c): a test that was found with one processor, 4 GiB of memory and
 * a certain time replays with them. Everything else goes to the kernel.
 */
#include "../posix/syscalls.h"
#include <asm/unistd.h>
#include <linux/auxvec.h>
#include <linux/futex.h>

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
 * the clock. */
static int inRealTime;

static long sleepFor(const struct fathom_time *request) {
  if (!request) return -EFAULT;
  if (!fathomIsValid(*request)) return -EINVAL;
  __fathom_clock = fathomAdd(__fathom_clock, *request);
  return 0;
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

/* What is ready is ready at once, in a program of one process; when nothing is, time passes. */
static long waitFor(long ready, struct fathom_time timeout) {
  if (ready == 0) __fathom_clock = fathomAdd(__fathom_clock, timeout);
  return ready;
}

static long poll(long fds, long count, long milliseconds) {
  struct fathom_time timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  return waitFor(__fathom_kernel(__NR_poll, fds, count, 0, 0, 0, 0), timeout);
}

static long ppoll(long fds, long count, const struct fathom_time *timeout, long mask, long size) {
  struct fathom_time none = {0, 0};
  if (!fathomIsValid(*timeout)) return -EINVAL;
  return waitFor(__fathom_kernel(__NR_ppoll, fds, count, (long)&none, mask, size, 0), *timeout);
}

/* `timeout` in seconds and microseconds, and set to what is left of it. */
static long select(long count, long in, long out, long exceptional, long *timeout) {
  struct fathom_time time = {timeout[0] + timeout[1] / 1000000, timeout[1] % 1000000 * 1000};
  long none[2] = {0, 0};
  if (timeout[0] < 0 || timeout[1] < 0) return -EINVAL;
  long ready = __fathom_kernel(__NR_select, count, in, out, exceptional, (long)none, 0);
  if (ready == 0) timeout[0] = timeout[1] = 0;
  return waitFor(ready, time);
}

static long pselect6(long count, long in, long out, long exceptional,
                     const struct fathom_time *timeout, long mask) {
  struct fathom_time none = {0, 0};
  if (!fathomIsValid(*timeout)) return -EINVAL;
  return waitFor(__fathom_kernel(__NR_pselect6, count, in, out, exceptional, (long)&none, mask),
                 *timeout);
}

/* A wait for a value that is there can only end by its timeout. */
static long futexWait(const int *address, int value, struct fathom_time timeout) {
  if (!address) return -EFAULT;
  if (*(const volatile int *)address != value) return -EAGAIN;
  __fathom_clock = fathomAdd(__fathom_clock, timeout);
  return -ETIMEDOUT;
}

/* Calls that wait: 1 when *result is what they return. */
static int waits(long number, long a, long b, long c, long d, long e, long f, long *result) {
  const struct fathom_time *time = 0;
  switch (number) {
  case __NR_nanosleep: *result = sleepFor((const struct fathom_time *)a); return 1;
  case __NR_clock_nanosleep: *result = clockSleep(a, b, (const struct fathom_time *)c); return 1;
  case __NR_poll:
    if ((int)c < 0) return 0; /* for ever */
    *result = poll(a, b, (int)c);
    return 1;
  case __NR_ppoll:
    if (!c) return 0;
    *result = ppoll(a, b, (const struct fathom_time *)c, d, e);
    return 1;
  case __NR_select:
    if (!e) return 0;
    *result = select(a, b, c, d, (long *)e);
    return 1;
  case __NR_pselect6:
    if (!e) return 0;
    *result = pselect6(a, b, c, d, (const struct fathom_time *)e, f);
    return 1;
  case __NR_futex:
    time = (const struct fathom_time *)d;
    if (((int)b & FUTEX_CMD_MASK) != FUTEX_WAIT && ((int)b & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET)
      return 0;
    if (!time) return 0;
    *result = futexWait((const int *)a, (int)c, *time);
    return 1;
  default: return 0;
  }
}

long __fathom_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  switch (number) {
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
  case __NR_timer_create:
  case __NR_fork:
  case __NR_vfork:
  case __NR_clone:
  case __NR_clone3: inRealTime = 1; break;
  }
  if (!inRealTime && waits(number, a, b, c, d, e, f, &result)) return result;
  return __fathom_kernel(number, a, b, c, d, e, f);
}

/* `stack` as the kernel made it. The model's libc gets its 16 random bytes from the same source. */
void __fathom_machine_start(long *stack) {
  __fathom_uid = (unsigned)__fathom_kernel(__NR_getuid, 0, 0, 0, 0, 0, 0);
  long *at = stack + stack[0] + 2;
  while (*at) at++;
  for (at++; at[0] != AT_NULL; at += 2)
    if (at[0] == AT_RANDOM) __fathom_randomBytes((byte *)at[1], 16);
}
