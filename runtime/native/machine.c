/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * System calls of native trace variants. What a program asks about the machine is answered as the
 * model answers it (posix/machine.c): a test that was found with one processor, 4 GiB of memory and
 * a certain time replays with them. Everything else goes to the kernel.
 */
#include "../posix/syscalls.h"
#include <asm/unistd.h>
#include <linux/auxvec.h>

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

/* Real timers go by real time; as long as there are none, sleeping only moves the clock. */
static int hasTimer;

static long sleepFor(const struct fathom_time *request) {
  if (!request) return -EFAULT;
  if (request->sec < 0 || request->nsec < 0 || request->nsec >= FATHOM_SECOND) return -EINVAL;
  __fathom_clock = fathomAdd(__fathom_clock, *request);
  return 0;
}

static long sleepUntil(long clock, const struct fathom_time *moment) {
  if (!moment) return -EFAULT;
  struct fathom_time now;
  long status = __fathom_sys_clock_gettime(clock, &now);
  if (status < 0 || !fathomBefore(now, *moment)) return status;
  struct fathom_time duration = fathomSubtract(*moment, now);
  return sleepFor(&duration);
}

long __fathom_syscall(long number, long a, long b, long c, long d, long e, long f) {
  enum { kAbsolute = 1 /* TIMER_ABSTIME */ };
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
  case __NR_alarm:
  case __NR_setitimer:
  case __NR_timer_create: hasTimer = 1; break;
  case __NR_nanosleep:
    if (hasTimer) break;
    return sleepFor((const struct fathom_time *)a);
  case __NR_clock_nanosleep:
    if (hasTimer) break;
    return b & kAbsolute ? sleepUntil(a, (const struct fathom_time *)c)
                         : sleepFor((const struct fathom_time *)c);
  }
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
