/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * poll and select. Files are always ready; a pipe is when it has data or room. Where nothing is
 * ready, other threads have their turn, and time passes.
 */
#include "syscalls.h"
#include <linux/poll.h>

static int pipeEvents(const struct fathom_openFile *file) {
  const struct fathom_inode *node = &__fathom_inodes[file->inode];
  int access = file->flags & O_ACCMODE, events = 0;
  if (access != O_WRONLY) {
    if (node->size > node->head) events |= POLLIN | POLLRDNORM;
    if (!__fathom_pipeHas(file->inode, O_WRONLY)) events |= POLLHUP;
  }
  if (access != O_RDONLY) {
    if (node->size - node->head <= kPipeBytes - PIPE_BUF) events |= POLLOUT | POLLWRNORM;
    if (!__fathom_pipeHas(file->inode, O_RDONLY)) events |= POLLERR;
  }
  return events;
}

static int readyEvents(const struct fathom_openFile *file) {
  if (__fathom_inodes[file->inode].kind == kPipe) return pipeEvents(file);
  return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
}

/* Nothing was ready. 0: look again; otherwise *result is what the call returns. `until` null: for
 * ever. */
static int waitInVain(const struct fathom_time *until, long *result) {
  struct fathom_time left;
  if (until) {
    left = fathomSubtract(*until, __fathom_clock);
    if (left.sec < 0 ||
        (left.sec == 0 && left.nsec == 0)) { /* a look: others may run between two */
      struct fathom_time none = {0, 0};
      __fathom_yield();
      *result = __fathom_passTime(none) ? -EINTR : 0;
      return 1;
    }
  }
  long status = __fathom_waitForEvent(until ? &left : 0);
  if (status == 0) return 0;
  if (status == -EDEADLK) {
    int ran = __fathom_nextAlarm();
    while (ran == 0) ran = __fathom_nextAlarm();
    if (ran < 0)
      __fathom_unsupported("the program waits for an event that nothing in the model brings");
    status = -EINTR;
  }
  *result = status == -ETIMEDOUT ? 0 : status;
  return 1;
}

static long pollOnce(struct pollfd *fds, usize count) {
  long ready = 0;
  for (usize i = 0; i < count; i++) {
    fds[i].revents = 0;
    if (fds[i].fd < 0) continue;
    struct fathom_openFile *file = __fathom_file(fds[i].fd);
    int events = file && !(file->flags & O_PATH)
                     ? readyEvents(file) & (fds[i].events | POLLERR | POLLHUP)
                     : POLLNVAL;
    fds[i].revents = (short)events;
    ready += events != 0;
  }
  return ready;
}

long __fathom_sys_ppoll(struct pollfd *fds, usize count, const struct fathom_time *timeout) {
  count = (usize)__fathom_pinned((long)count, "number of polled descriptors");
  if (count > FATHOM_NOFILE) return -EINVAL;
  if (count && !fds) return -EFAULT;
  if (timeout && !fathomIsValid(*timeout)) return -EINVAL;
  struct fathom_time until;
  if (timeout) until = fathomAdd(__fathom_clock, *timeout);
  long result;
  do result = pollOnce(fds, count);
  while (result == 0 && !waitInVain(timeout ? &until : 0, &result));
  return result;
}

long __fathom_sys_poll(struct pollfd *fds, usize count, long milliseconds) {
  milliseconds = __fathom_pinned((int)milliseconds, "time to wait in poll");
  struct fathom_time timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  return __fathom_sys_ppoll(fds, count, milliseconds < 0 ? 0 : &timeout);
}

static int inSet(const unsigned long *set, long fd) {
  return set && (set[fd / 64] >> (fd % 64) & 1);
}

/* How many of one of the three sets are ready. */
static long countReady(const unsigned long *set, long count, int wanted) {
  long ready = 0;
  for (long fd = 0; fd < count; fd++)
    ready += inSet(set, fd) && (readyEvents(__fathom_file(fd)) & wanted);
  return ready;
}

/* Only those stay that are. */
static void keepReady(unsigned long *set, long count, int wanted) {
  for (long fd = 0; fd < count; fd++)
    if (inSet(set, fd) && !(readyEvents(__fathom_file(fd)) & wanted))
      set[fd / 64] &= ~(1ul << (fd % 64));
}

enum { kReadable = POLLIN | POLLHUP | POLLERR, kWritable = POLLOUT | POLLERR, kExceptional = 0 };

long __fathom_sys_pselect6(long count, unsigned long *in, unsigned long *out,
                           unsigned long *exceptional, const struct fathom_time *timeout) {
  count = __fathom_pinned((int)count, "number of selected descriptors");
  if (count < 0) return -EINVAL;
  if (count > FATHOM_NOFILE) count = FATHOM_NOFILE;
  for (long fd = 0; fd < count; fd++)
    if ((inSet(in, fd) || inSet(out, fd) || inSet(exceptional, fd)) && !__fathom_file(fd))
      return -EBADF;
  if (timeout && !fathomIsValid(*timeout)) return -EINVAL;
  struct fathom_time until;
  if (timeout) until = fathomAdd(__fathom_clock, *timeout);
  long result;
  do result = countReady(in, count, kReadable) + countReady(out, count, kWritable);
  while (result == 0 && !waitInVain(timeout ? &until : 0, &result));
  if (result < 0) return result;
  keepReady(in, count, kReadable);
  keepReady(out, count, kWritable);
  keepReady(exceptional, count, kExceptional);
  return result;
}

long __fathom_sys_select(long count, unsigned long *in, unsigned long *out,
                         unsigned long *exceptional, long *timeout) {
  if (!timeout) return __fathom_sys_pselect6(count, in, out, exceptional, 0);
  struct fathom_time time = {timeout[0] + timeout[1] / 1000000, timeout[1] % 1000000 * 1000};
  long ready = __fathom_sys_pselect6(count, in, out, exceptional, &time);
  if (ready == 0) timeout[0] = timeout[1] = 0;
  return ready;
}
