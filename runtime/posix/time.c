/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Waiting and alarms. The clock itself, and the time used, are in machine.c.
 */
#include "syscalls.h"
#include <linux/signal.h>
#include <linux/time.h>

static struct fathom_time alarmAt, alarmInterval; /* alarmAt.sec == 0: none */

/* Lets the alarm go off; 1 if a handler ran. */
static int ring(void) {
  if (fathomBefore(__fathom_clock, alarmAt)) __fathom_clock = alarmAt;
  alarmAt.sec = alarmAt.nsec = 0;
  if (alarmInterval.sec || alarmInterval.nsec) alarmAt = fathomAdd(__fathom_clock, alarmInterval);
  return (int)__fathom_signalProcess(SIGALRM);
}

int __fathom_passTime(struct fathom_time duration) {
  struct fathom_time end = fathomAdd(__fathom_clock, duration);
  while (alarmAt.sec && fathomBefore(alarmAt, end))
    if (ring()) return 1;
  __fathom_clock = end;
  return 0;
}

/* Jumps to the next alarm. Returns -1 if none is set, otherwise whether a handler ran. */
int __fathom_nextAlarm(void) { return alarmAt.sec ? ring() : -1; }

static long sleepFor(struct fathom_time duration, struct fathom_time *left) {
  struct fathom_time end = fathomAdd(__fathom_clock, duration);
  if (__fathom_sleep(duration) == 0) return 0;
  if (left) *left = fathomSubtract(end, __fathom_clock);
  return -EINTR;
}

long __fathom_sys_nanosleep(const struct fathom_time *request, struct fathom_time *left) {
  if (!request) return -EFAULT;
  struct fathom_time duration = {__fathom_pinned(request->sec, "time to sleep"),
                                 __fathom_pinned(request->nsec, "time to sleep")};
  return fathomIsValid(duration) ? sleepFor(duration, left) : -EINVAL;
}

long __fathom_sys_clock_nanosleep(long clock, long flags, const struct fathom_time *request,
                                  struct fathom_time *left) {
  struct fathom_time now;
  long status = __fathom_checkSleepClock(clock);
  if (status < 0) return status;
  if (!(flags & TIMER_ABSTIME)) return __fathom_sys_nanosleep(request, left);
  if (!request) return -EFAULT;
  struct fathom_time moment = {__fathom_pinned(request->sec, "time to sleep"),
                               __fathom_pinned(request->nsec, "time to sleep")};
  if (!fathomIsValid(moment)) return -EINVAL;
  status = __fathom_sys_clock_gettime(clock, &now);
  if (status < 0) return status;
  return fathomBefore(now, moment) ? sleepFor(fathomSubtract(moment, now), 0) : 0;
}

/* ---- alarms ---- */

static struct fathom_time alarmLeft(void) {
  struct fathom_time none = {0, 0};
  return alarmAt.sec && fathomBefore(__fathom_clock, alarmAt)
             ? fathomSubtract(alarmAt, __fathom_clock)
             : none;
}

static void setAlarm(struct fathom_time after, struct fathom_time interval) {
  struct fathom_time none = {0, 0};
  alarmAt = after.sec || after.nsec ? fathomAdd(__fathom_clock, after) : none;
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
  if (value && (value[0] < 0 || value[2] < 0 || (unsigned long)value[1] >= 1000000 ||
                (unsigned long)value[3] >= 1000000))
    return -EINVAL;
  if (old) __fathom_sys_getitimer(which, old);
  if (which != 0) {
    __fathom_ledger("environment", "timers of processor time never go off");
    return 0;
  }
  struct fathom_time after = {0, 0}, interval = {0, 0};
  if (value) {
    interval.sec = value[0];
    interval.nsec = value[1] * 1000;
    after.sec = value[2];
    after.nsec = value[3] * 1000;
  }
  setAlarm(after, interval);
  return 0;
}
