/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Descriptors and open files: dup, fcntl, close, pipe.
 */
#include "syscalls.h"

struct fathom_openFile __fathom_openFiles[kMaxOpenFiles];
short __fathom_fds[kMaxFds];
int __fathom_fdLimit;
static byte closeOnExec[kMaxFds];

/* Forks over the open descriptors where the number is symbolic: "one of these, or none of them". */
long __fathom_fd(long fd) {
  fd = (int)fd;
  if (__fathom_is_symbolic((usize)fd)) {
    for (int i = 0; i < __fathom_fdLimit; i++)
      if (__fathom_fds[i] != FATHOM_NONE && fd == i) return i;
    return -EBADF;
  }
  return fd >= 0 && fd < __fathom_fdLimit && __fathom_fds[fd] != FATHOM_NONE ? fd : -EBADF;
}

struct fathom_openFile *__fathom_file(long fd) {
  fd = __fathom_fd(fd);
  return fd < 0 ? 0 : &__fathom_openFiles[__fathom_fds[fd]];
}

int __fathom_newOpenFile(int inode, int flags) {
  for (int i = 0; i < kMaxOpenFiles; i++) {
    struct fathom_openFile *file = &__fathom_openFiles[i];
    if (file->references) continue;
    file->references = 1;
    file->inode = inode;
    file->flags = flags;
    file->offset = 0;
    __fathom_keep(inode);
    return i;
  }
  __fathom_ledger("environment", "more open files than the model has room for: ENFILE");
  return -ENFILE;
}

static void dropReference(int index) {
  struct fathom_openFile *file = &__fathom_openFiles[index];
  if (--file->references == 0) __fathom_release(file->inode);
}

void __fathom_setFd(int fd, int openFile, int onExec) {
  while (__fathom_fdLimit <= fd) __fathom_fds[__fathom_fdLimit++] = FATHOM_NONE;
  __fathom_fds[fd] = (short)openFile;
  closeOnExec[fd] = (byte)(onExec != 0);
}

int __fathom_closeOnExec(int fd) { return closeOnExec[fd]; }

/* Takes over the caller's reference: dropped when there is no free descriptor. */
long __fathom_installFd(int openFile, int lowest, int onExec) {
  for (int fd = lowest; fd < FATHOM_NOFILE; fd++) {
    if (fd < __fathom_fdLimit && __fathom_fds[fd] != FATHOM_NONE) continue;
    __fathom_setFd(fd, openFile, onExec);
    return fd;
  }
  dropReference(openFile);
  return -EMFILE;
}

long __fathom_sys_close(long fd) {
  fd = __fathom_fd(fd);
  if (fd < 0) return -EBADF;
  int index = __fathom_fds[fd];
  __fathom_fds[fd] = FATHOM_NONE;
  dropReference(index);
  return 0;
}

long __fathom_sys_close_range(long first, long last, long flags) {
  unsigned from = (unsigned)first, to = (unsigned)last;
  if (from > to || (flags & ~6)) return -EINVAL;
  for (unsigned fd = from; fd <= to && fd < (unsigned)__fathom_fdLimit; fd++) {
    if (flags & 4 /* CLOSE_RANGE_CLOEXEC */)
      closeOnExec[fd] = 1;
    else
      __fathom_sys_close(fd);
  }
  return 0;
}

static long duplicate(long fd, long lowest, int onExec) {
  int index = __fathom_fds[fd];
  __fathom_openFiles[index].references++;
  return __fathom_installFd(index, (int)lowest, onExec);
}

long __fathom_sys_dup(long fd) {
  fd = __fathom_fd(fd);
  return fd < 0 ? fd : duplicate(fd, 0, 0);
}

static long duplicateTo(long from, long to, int onExec) {
  from = __fathom_fd(from);
  if (from < 0) return from;
  to = __fathom_pinned((int)to, "descriptor to duplicate to");
  if (to < 0 || to >= FATHOM_NOFILE) return -EBADF;
  if (to == from) return to;
  int index = __fathom_fds[from];
  __fathom_openFiles[index].references++;
  __fathom_sys_close(to);
  __fathom_setFd((int)to, index, onExec);
  return to;
}

long __fathom_sys_dup2(long from, long to) { return duplicateTo(from, to, 0); }

long __fathom_sys_dup3(long from, long to, long flags) {
  if ((flags & ~O_CLOEXEC) || (int)from == (int)to) return -EINVAL;
  return duplicateTo(from, to, (flags & O_CLOEXEC) != 0);
}

long __fathom_sys_pipe2(int *fds, long flags) {
  if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT)) return -EINVAL;
  if (!fds) return -EFAULT;
  int inode = __fathom_newInode(kPipe, 0600);
  if (inode == FATHOM_NONE) return -ENFILE;
  int status = (int)flags & O_NONBLOCK, onExec = (flags & O_CLOEXEC) != 0;
  int reader = __fathom_newOpenFile(inode, O_RDONLY | status);
  if (reader < 0) return reader;
  int writer = __fathom_newOpenFile(inode, O_WRONLY | status);
  if (writer < 0) {
    dropReference(reader);
    return writer;
  }
  long first = __fathom_installFd(reader, 0, onExec);
  if (first < 0) {
    dropReference(writer);
    return first;
  }
  long second = __fathom_installFd(writer, 0, onExec);
  if (second < 0) {
    __fathom_sys_close(first);
    return second;
  }
  fds[0] = (int)first;
  fds[1] = (int)second;
  return 0;
}

/* There is only one process, so no other process holds a lock. */
static long testLock(struct flock *lock) {
  if (!lock) return -EFAULT;
  if (lock->l_type != F_RDLCK && lock->l_type != F_WRLCK && lock->l_type != F_UNLCK) return -EINVAL;
  if (lock->l_whence < 0 || lock->l_whence > 2 /* SEEK_END */) return -EINVAL;
  lock->l_type = F_UNLCK;
  return 0;
}

static long setLock(const struct fathom_openFile *file, const struct flock *lock) {
  if (!lock) return -EFAULT;
  if (lock->l_whence < 0 || lock->l_whence > 2 /* SEEK_END */) return -EINVAL;
  int access = file->flags & O_ACCMODE;
  switch (lock->l_type) {
  case F_RDLCK: return access == O_WRONLY ? -EBADF : 0;
  case F_WRLCK: return access == O_RDONLY ? -EBADF : 0;
  case F_UNLCK: return 0;
  default: return -EINVAL;
  }
}

long __fathom_sys_fcntl(long fd, long command, long argument) {
  fd = __fathom_fd(fd);
  if (fd < 0) return fd;
  struct fathom_openFile *file = __fathom_file(fd);
  const int settable = O_APPEND | O_NONBLOCK | O_NOATIME | O_DIRECT | FASYNC;
  command = (int)command;
  int anyDescriptor = command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_GETFD ||
                      command == F_SETFD || command == F_GETFL;
  if ((file->flags & O_PATH) && !anyDescriptor) return -EBADF;
  switch (command) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC:
    argument = __fathom_pinned((int)argument, "lowest descriptor to duplicate to");
    if (argument < 0 || argument >= FATHOM_NOFILE) return -EINVAL;
    return duplicate(fd, argument, command == F_DUPFD_CLOEXEC);
  case F_GETFD: return closeOnExec[fd];
  case F_SETFD: closeOnExec[fd] = argument & FD_CLOEXEC; return 0;
  case F_GETFL: return file->flags;
  case F_SETFL: file->flags = (file->flags & ~settable) | ((int)argument & settable); return 0;
  case F_GETLK:
  case F_OFD_GETLK: return testLock((struct flock *)argument);
  case F_SETLK:
  case F_SETLKW:
  case F_OFD_SETLK:
  case F_OFD_SETLKW: return setLock(file, (const struct flock *)argument);
  case F_GETOWN: return 0;
  case F_SETOWN: return 0;
  case F_GETPIPE_SZ: return __fathom_inodes[file->inode].kind == kPipe ? kPipeBytes : -EBADF;
  default:
    __fathom_ledger("environment", "fcntl command that is not modelled: EINVAL");
    return -EINVAL;
  }
}

long __fathom_sys_flock(long fd, long operation) {
  fd = __fathom_fd(fd);
  if (fd < 0) return fd;
  int what = (int)operation & ~4 /* LOCK_NB */;
  return what == 1 || what == 2 || what == 8 ? 0 : -EINVAL;
}
