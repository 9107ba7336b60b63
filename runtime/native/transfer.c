/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reading and writing in native trace variants with several threads. The one that runs must not
 * wait in the kernel, where it would keep its turn: it waits in the scheduler, like posix/file.c,
 * until the other end of a pipe has done something. How much a pipe holds is the model's 64 KiB to
 * the byte; the kernel's room depends on how the bytes came, so its pipes are made larger than
 * that.
 */
#include "../posix/syscalls.h"
#include "thread.h"

#include <asm/ioctls.h>
#include <asm/unistd.h>
#include <linux/poll.h>
#include <linux/uio.h>

static long control(long fd, long command, long argument) {
  return __fathom_kernel(__NR_fcntl, fd, command, argument, 0, 0, 0);
}

/* Is it ready, or at an end? */
static int isReady(long fd, int events) {
  struct pollfd one = {(int)fd, (short)events, 0};
  return __fathom_kernel(__NR_poll, (long)&one, 1, 0, 0, 0, 0) != 0;
}

static int hasReader(long fd) {
  struct pollfd one = {(int)fd, 0, 0};
  __fathom_kernel(__NR_poll, (long)&one, 1, 0, 0, 0, 0);
  return !(one.revents & (POLLERR | POLLNVAL));
}

/* As writePipe in posix/file.c. */
static long writePipe(long fd, const byte *data, usize count) {
  usize done = 0;
  for (;;) {
    int used = 0;
    __fathom_kernel(__NR_ioctl, fd, FIONREAD, (long)&used, 0, 0, 0);
    usize room = used < kPipeBytes ? (usize)(kPipeBytes - used) : 0, part = count - done;
    int fits = part <= room || !hasReader(fd), splits = part > PIPE_BUF && room > 0;
    if (fits || splits) {
      long written =
          __fathom_kernel(__NR_write, fd, (long)(data + done), (long)(fits ? part : room), 0, 0, 0);
      if (written < 0) return done ? (long)done : written;
      done += (usize)written;
      if (fits) return (long)done;
      __fathom_eventHappened();
    }
    long status = __fathom_waitForEvent(0);
    if (status < 0) return done ? (long)done : status;
  }
}

static long writeParts(long fd, const struct iovec *parts, long count) {
  long done = 0;
  for (long i = 0; i < count; i++) {
    long written = writePipe(fd, parts[i].iov_base, parts[i].iov_len);
    if (written < 0) return done ? done : written;
    done += written;
    if ((usize)written < parts[i].iov_len) break;
  }
  return done;
}

int __fathom_transfer(long number, long fd, long data, long count, long *result) {
  enum { kLarger = 1 << 18 };
  long flags = __fathom_threadCount == 1 ? -1 : control(fd, F_GETFL, 0);
  if (flags < 0 || (flags & O_NONBLOCK)) return 0;
  if (number == __NR_read || number == __NR_readv) {
    *result = 0;
    while (*result == 0 && !isReady(fd, POLLIN)) *result = __fathom_waitForEvent(0);
    return *result < 0 && *result != -EDEADLK; /* the last thread may wait in the kernel */
  }
  if (control(fd, F_GETPIPE_SZ, 0) < 0) return 0;
  control(fd, F_SETPIPE_SZ, kLarger);
  *result = number == __NR_write ? writePipe(fd, (const byte *)data, (usize)count)
                                 : writeParts(fd, (const struct iovec *)data, count);
  return 1;
}
