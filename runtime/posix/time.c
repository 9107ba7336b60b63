/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time. The clock starts at a fixed moment and only moves when the program looks at it or waits, so
 * that the same path always sees the same times; a program that waits for time to pass by polling
 * the clock gets there.
 */
#include "syscalls.h"
#include <linux/signal.h>
#include <linux/time.h>
#include <linux/times.h>

enum {
  kLookNsec = 1000000 /* one look at the clock takes a millisecond */,
  kSecond = 1000000000,
  kBootSec = 1000
};

struct fathom_time __fathom_clock;
static struct fathom_time startTime, alarmAt, alarmInterval; /* alarmAt.sec == 0: none */

void __fathom_timeInit(void) {
  long start = __fathom_config(FATHOM_CONFIG_START_TIME);
  __fathom_clock.sec = start >= 0 ? start : 1700000000;
  startTime = __fathom_clock;
}

static struct fathom_time add(struct fathom_time a, struct fathom_time b) {
  struct fathom_time sum = {a.sec + b.sec, a.nsec + b.nsec};
  if (sum.nsec >= kSecond) {
    sum.nsec -= kSecond;
    sum.sec++;
  }
  return sum;
}

static struct fathom_time subtract(struct fathom_time a, struct fathom_time b) {
  struct fathom_time difference = {a.sec - b.sec, a.nsec - b.nsec};
  if (difference.nsec < 0) {
    difference.nsec += kSecond;
    difference.sec--;
  }
  return difference;
}

static int isBefore(struct fathom_time a, struct fathom_time b) {
  return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

void __fathom_now(struct fathom_time *out) {
  *out = __fathom_clock;
  struct fathom_time look = {0, kLookNsec};
  __fathom_clock = add(__fathom_clock, look);
}

/* Lets the alarm go off; 1 if a handler ran. */
static int ring(void) {
  if (isBefore(__fathom_clock, alarmAt)) __fathom_clock = alarmAt;
  alarmAt.sec = alarmAt.nsec = 0;
  if (alarmInterval.sec || alarmInterval.nsec) alarmAt = add(__fathom_clock, alarmInterval);
  return (int)__fathom_sendSignal(SIGALRM);
}

int __fathom_passTime(struct fathom_time duration) {
  struct fathom_time end = add(__fathom_clock, duration);
  while (alarmAt.sec && isBefore(alarmAt, end))
    if (ring()) return 1;
  __fathom_clock = end;
  return 0;
}

/* Jumps to the next alarm. Returns -1 if none is set, otherwise whether a handler ran. */
int __fathom_nextAlarm(void) { return alarmAt.sec ? ring() : -1; }

long __fathom_sys_clock_gettime(long clock, struct fathom_time *out) {
  if (!out) return -EFAULT;
  struct fathom_time now, boot = {kBootSec, 0};
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
    *out = add(subtract(now, startTime), boot);
    return 0;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    __fathom_now(&now);
    *out = subtract(now, startTime);
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

static long sleepFor(struct fathom_time duration, struct fathom_time *left) {
  struct fathom_time end = add(__fathom_clock, duration);
  if (!__fathom_passTime(duration)) return 0;
  if (left) *left = subtract(end, __fathom_clock);
  return -EINTR;
}

long __fathom_sys_nanosleep(const struct fathom_time *request, struct fathom_time *left) {
  if (!request) return -EFAULT;
  struct fathom_time duration = {__fathom_pinned(request->sec, "time to sleep"),
                                 __fathom_pinned(request->nsec, "time to sleep")};
  if (duration.sec < 0 || duration.nsec < 0 || duration.nsec >= kSecond) return -EINVAL;
  return sleepFor(duration, left);
}

long __fathom_sys_clock_nanosleep(long clock, long flags, const struct fathom_time *request,
                                  struct fathom_time *left) {
  if (!(flags & TIMER_ABSTIME)) return __fathom_sys_nanosleep(request, left);
  if (!request) return -EFAULT;
  struct fathom_time now;
  long status = __fathom_sys_clock_gettime(clock, &now);
  if (status < 0) return status;
  return isBefore(now, *request) ? sleepFor(subtract(*request, now), 0) : 0;
}

/* ---- alarms ---- */

static struct fathom_time alarmLeft(void) {
  struct fathom_time none = {0, 0};
  return alarmAt.sec && isBefore(__fathom_clock, alarmAt) ? subtract(alarmAt, __fathom_clock)
                                                          : none;
}

static void setAlarm(struct fathom_time after, struct fathom_time interval) {
  struct fathom_time none = {0, 0};
  alarmAt = after.sec || after.nsec ? add(__fathom_clock, after) : none;
  alarmInterval = interval;
}

long __fathom_sys_alarm(long seconds) {
  struct fathom_time left = alarmLeft(),
                     after = {(unsigned)__fathom_pinned(seconds, "time of an alarm"), 0},
                     once = {0, 0};
  setAlarm(after, once);
  return left.sec + (left.nsec > 0);
}

long __fathom_sys_getitimer(long which, long *out) {
  if (which < 0 || which > 2) return -EINVAL;
  if (!out) return -EFAULT;
  struct fathom_time left = alarmLeft();
  fathomZero(out, 4 * sizeof *out);
  if (which == 0) {
    out[0] = alarmInterval.sec;
    out[1] = alarmInterval.nsec / 1000;
    out[2] = left.sec;
    out[3] = left.nsec / 1000;
  }
  return 0;
}

long __fathom_sys_setitimer(long which, const long *value, long *old) {
  if (which < 0 || which > 2) return -EINVAL;
  if (old) __fathom_sys_getitimer(which, old);
  if (which != 0) {
    __fathom_ledger("environment", "timers of processor time never go off");
    return 0;
  }
  struct fathom_time after = {0, 0}, interval = {0, 0};
  if (value) {
    if ((unsigned long)value[1] >= 1000000 || (unsigned long)value[3] >= 1000000) return -EINVAL;
    interval.sec = value[0];
    interval.nsec = value[1] * 1000;
    after.sec = value[2];
    after.nsec = value[3] * 1000;
  }
  setAlarm(after, interval);
  return 0;
}

/* ---- time used ---- */

long __fathom_sys_times(struct tms *out) {
  struct fathom_time now;
  __fathom_now(&now);
  struct fathom_time used = subtract(now, startTime);
  long ticks = used.sec * 100 + used.nsec / 10000000;
  if (out) {
    fathomZero(out, sizeof *out);
    out->tms_utime = ticks;
  }
  return kBootSec * 100 + ticks;
}

/* ru_utime is the first member of struct rusage. */
long __fathom_sys_getrusage(long who, long *out) {
  if (who < -1 || who > 1) return -EINVAL;
  if (!out) return -EFAULT;
  fathomZero(out, 18 * sizeof *out);
  if (who != -1) {
    struct fathom_time used = subtract(__fathom_clock, startTime);
    out[0] = used.sec;
    out[1] = used.nsec / 1000;
  }
  return 0;
}
