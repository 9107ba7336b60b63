/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program can ask about the machine it runs on: names, memory, processors, limits, the
 * clock, random bytes. Fixed answers, so that the same path always sees the same machine.
 *
 * Compiled twice: into the model, and into the native programs of a replay
 * (runtime/native/machine.c), where it stands for the machine too. A test then takes the same path
 * on any machine.
 */
#include "syscalls.h"
#include <asm/statfs.h>
#include <linux/resource.h>
#include <linux/sysinfo.h>
#include <linux/time.h>
#include <linux/times.h>
#include <linux/utsname.h>

long __fathom_sys_uname(void *buffer) {
  struct new_utsname *out = buffer;
  if (!out) return -EFAULT;
  fathomZero(out, sizeof *out);
  fathomCopy(out->sysname, "Linux", 5);
  fathomCopy(out->nodename, "fathom", 6);
  fathomCopy(out->release, "6.1.0", 5);
  fathomCopy(out->version, "#1 SMP", 6);
  fathomCopy(out->machine, "x86_64", 6);
  fathomCopy(out->domainname, "(none)", 6);
  return 0;
}

long __fathom_sys_sysinfo(void *buffer) {
  struct sysinfo *out = buffer;
  if (!out) return -EFAULT;
  fathomZero(out, sizeof *out);
  out->uptime = 1000;
  out->totalram = 4ul << 30;
  out->freeram = 2ul << 30;
  out->procs = 1;
  out->mem_unit = 1;
  return 0;
}

/* One processor. */
long __fathom_sys_sched_getaffinity(usize size, unsigned long *mask) {
  if (size < sizeof *mask || (size & 7)) return -EINVAL;
  if (!mask) return -EFAULT;
  *mask = 1;
  return sizeof *mask;
}

long __fathom_sys_getcpu(unsigned *cpu, unsigned *node) {
  if (cpu) *cpu = 0;
  if (node) *node = 0;
  return 0;
}

/* ---- limits ---- */

static struct rlimit64 limits[RLIM_NLIMITS];
static int limitsReady;

static void initLimits(void) {
  for (int i = 0; i < RLIM_NLIMITS; i++) limits[i].rlim_cur = limits[i].rlim_max = RLIM64_INFINITY;
  limits[RLIMIT_STACK].rlim_cur = 8ul << 20;
  limits[RLIMIT_CORE].rlim_cur = 0;
  limits[RLIMIT_NOFILE].rlim_cur = limits[RLIMIT_NOFILE].rlim_max = FATHOM_NOFILE;
  limitsReady = 1;
}

long __fathom_sys_prlimit64(long process, long resource, const void *set, void *old) {
  if (process != 0 && process != kPid) return -ESRCH;
  resource = __fathom_pinned((int)resource, "resource whose limit is asked for");
  if (resource < 0 || resource >= RLIM_NLIMITS) return -EINVAL;
  if (!limitsReady) initLimits();
  struct rlimit64 previous = limits[resource];
  if (set) {
    const struct rlimit64 *wanted = set;
    if (wanted->rlim_cur > wanted->rlim_max) return -EINVAL;
    if (wanted->rlim_max > previous.rlim_max && __fathom_uid != 0) return -EPERM;
    limits[resource] = *wanted;
    __fathom_ledger("environment", "limits set by the program are remembered, not enforced");
  }
  if (old) *(struct rlimit64 *)old = previous;
  return 0;
}

/* ---- the process among others ---- */

/* The process leads its session, and such a one cannot change its group. */
long __fathom_sys_setpgid(long process, long group) {
  if ((int)group < 0) return -EINVAL;
  return (int)process == 0 || (int)process == kPid ? -EPERM : -ESRCH;
}

static long niceValue;

static long checkPriority(long which, long who) {
  enum { kProcess = 0, kUser = 2 };
  if ((int)which < kProcess || (int)which > kUser) return -EINVAL;
  if ((int)which == kUser)
    return (int)who == 0 || (unsigned)who == (unsigned)__fathom_sys_getuid() ? 0 : -ESRCH;
  return (int)who == 0 || (int)who == kPid ? 0 : -ESRCH;
}

/* As the kernel counts: 20 is nice value 0, more is better. */
long __fathom_sys_getpriority(long which, long who) {
  long status = checkPriority(which, who);
  return status < 0 ? status : 20 - niceValue;
}

long __fathom_sys_setpriority(long which, long who, long nice) {
  long status = checkPriority(which, who);
  if (status < 0) return status;
  nice = __fathom_pinned((int)nice, "nice value");
  if (nice < -20) nice = -20;
  if (nice > 19) nice = 19;
  if (nice < niceValue && __fathom_uid != 0) return -EACCES;
  niceValue = nice;
  return 0;
}

/* ---- file systems ---- */

void __fathom_describeFileSystem(struct statfs *out, int isReadOnly) {
  enum {
    kFlagReadOnly = 1,
    kFlagValid = 0x20,
    kBlock = 4096,
    kMostName = 255
  }; /* ST_RDONLY, ... */
  fathomZero(out, sizeof *out);
  out->f_type = 0xef53; /* ext4 */
  out->f_bsize = out->f_frsize = kBlock;
  out->f_blocks = 1 << 24;
  out->f_bfree = out->f_bavail = 1 << 23;
  out->f_files = 1 << 20;
  out->f_ffree = 1 << 19;
  out->f_namelen = kMostName;
  out->f_flags = kFlagValid | (isReadOnly ? kFlagReadOnly : 0);
}

/* ---- random bytes ---- */

/* The same bytes on every run (xorshift64*): a program that depends on them is seen with one value
 * of each. */
unsigned long __fathom_randomState = 0x9e3779b97f4a7c15ul;

void __fathom_randomBytes(byte *out, usize count) {
  unsigned long state = __fathom_randomState;
  for (usize i = 0; i < count; i++) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    out[i] = (byte)(state * 0x2545f4914f6cdd1dul >> 56);
  }
  __fathom_randomState = state;
}

long __fathom_sys_getrandom(void *buffer, usize count, long flags) {
  if (flags & ~7) return -EINVAL;
  count = __fathom_countFrom(buffer, count, 0x1ffffff, "number of random bytes");
  if (count && !buffer) return -EFAULT;
  __fathom_ledger("environment", "random bytes are the same on every run");
  __fathom_randomBytes(buffer, count);
  return (long)count;
}

/* ---- the clock ---- */

/* It only moves when the program looks at it or waits: a program that waits by polling it gets
 * there. */
struct fathom_time __fathom_clock = {FATHOM_START_SEC, 0};

void __fathom_now(struct fathom_time *out) {
  *out = __fathom_clock;
  struct fathom_time look = {0, FATHOM_LOOK_NSEC};
  __fathom_clock = fathomAdd(__fathom_clock, look);
}

/* rdtsc: two cycles a nanosecond. */
unsigned long __fathom_cycles(void) {
  struct fathom_time now;
  __fathom_now(&now);
  return 2 * ((unsigned long)now.sec * 1000000000ul + (unsigned long)now.nsec);
}

/* ---- rep movs, rep stos ---- */

void __fathom_repeat_movs(byte *to, const byte *from, usize count, usize size) {
  if (!count) return;
  if ((usize)to - (usize)from >= count * size) { /* nothing is read that was written before */
    __builtin_memmove(to, from, count * size);
    return;
  }
  for (usize k = 0; k < count; k++) {
    byte unit[8];
    __builtin_memcpy(unit, from + k * size, size);
    __builtin_memcpy(to + k * size, unit, size);
  }
}

void __fathom_repeat_stos(byte *to, unsigned long value, usize count, usize size) {
  if (size == 1)
    __builtin_memset(to, (int)value, count);
  else
    for (usize k = 0; k < count; k++) __builtin_memcpy(to + k * size, &value, size);
}

long __fathom_sys_clock_gettime(long clock, struct fathom_time *out) {
  if (!out) return -EFAULT;
  struct fathom_time now, boot = {FATHOM_BOOT_SEC, 0};
  switch ((int)clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI: __fathom_now(out); return 0;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM:
    __fathom_now(&now);
    *out = fathomAdd(fathomSubtract(now, fathomStartTime), boot);
    return 0;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    __fathom_now(&now);
    *out = fathomSubtract(now, fathomStartTime);
    return 0;
  default: return -EINVAL;
  }
}

long __fathom_sys_clock_getres(long clock, struct fathom_time *out) {
  if (clock < 0 || clock > CLOCK_TAI || clock == 10) return -EINVAL;
  if (out) {
    out->sec = 0;
    out->nsec = 1;
  }
  return 0;
}

long __fathom_sys_gettimeofday(long *out) {
  if (!out) return 0;
  struct fathom_time now;
  __fathom_now(&now);
  out[0] = now.sec;
  out[1] = now.nsec / 1000;
  return 0;
}

long __fathom_sys_time(long *out) {
  struct fathom_time now;
  __fathom_now(&now);
  if (out) *out = now.sec;
  return now.sec;
}

/* Which clocks one can sleep by. */
long __fathom_checkSleepClock(long clock) {
  switch ((int)clock) {
  case CLOCK_REALTIME:
  case CLOCK_MONOTONIC:
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_BOOTTIME:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_BOOTTIME_ALARM:
  case CLOCK_TAI: return 0;
  case CLOCK_THREAD_CPUTIME_ID:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_MONOTONIC_COARSE: return -EOPNOTSUPP;
  default: return -EINVAL;
  }
}

/* ---- time used ---- */

long __fathom_sys_times(struct tms *out) {
  struct fathom_time now;
  __fathom_now(&now);
  struct fathom_time used = fathomSubtract(now, fathomStartTime);
  long ticks = used.sec * 100 + used.nsec / 10000000;
  if (out) {
    fathomZero(out, sizeof *out);
    out->tms_utime = ticks;
  }
  return FATHOM_BOOT_SEC * 100 + ticks;
}

/* ru_utime is the first member of struct rusage. */
long __fathom_sys_getrusage(long who, long *out) {
  if (who < -1 || who > 1) return -EINVAL;
  if (!out) return -EFAULT;
  fathomZero(out, 18 * sizeof *out);
  if (who != -1) {
    struct fathom_time used = fathomSubtract(__fathom_clock, fathomStartTime);
    out[0] = used.sec;
    out[1] = used.nsec / 1000;
  }
  return 0;
}
