/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * ioctl: terminals (where the engine says that a standard descriptor is one) and the few requests
 * that files know.
 */
#include "syscalls.h"
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <asm/termios.h>

/* What a terminal in a fresh session shows. */
static struct termios settings = {
    .c_iflag = ICRNL | IXON,
    .c_oflag = OPOST | ONLCR,
    .c_cflag = B38400 | CS8 | CREAD,
    .c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN,
    .c_cc = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0},
};
static struct winsize window = {24, 80, 0, 0};

static long terminalRequest(unsigned request, void *argument) {
  if (!argument && request != TCSBRK && request != TCXONC && request != TCFLSH) return -EFAULT;
  switch (request) {
  case TCGETS: *(struct termios *)argument = settings; return 0;
  case TCSETS:
  case TCSETSW:
  case TCSETSF: settings = *(const struct termios *)argument; return 0;
  case TIOCGWINSZ: *(struct winsize *)argument = window; return 0;
  case TIOCSWINSZ: window = *(const struct winsize *)argument; return 0;
  case TIOCGPGRP:
  case TIOCGSID: *(int *)argument = kPid; return 0;
  case TIOCSPGRP:
  case TCSBRK:
  case TCXONC:
  case TCFLSH: return 0;
  default:
    __fathom_ledger("environment", "terminal request that is not modelled: ENOTTY");
    return -ENOTTY;
  }
}

static long bytesToRead(const struct fathom_openFile *file, int *out) {
  const struct fathom_inode *node = &__fathom_inodes[file->inode];
  if (node->kind != kRegular && node->kind != kStream && node->kind != kPipe && node->kind != kTty)
    return -ENOTTY;
  if (!out) return -EFAULT;
  *out = (int)(node->kind == kPipe ? node->size - node->head : node->size - (usize)file->offset);
  return 0;
}

long __fathom_sys_ioctl(long fd, long request, void *argument) {
  fd = __fathom_fd(fd);
  if (fd < 0) return fd;
  struct fathom_openFile *file = __fathom_file(fd);
  if (file->flags & O_PATH) return -EBADF;
  switch ((unsigned)request) {
  case FIOCLEX: return __fathom_sys_fcntl(fd, F_SETFD, FD_CLOEXEC);
  case FIONCLEX: return __fathom_sys_fcntl(fd, F_SETFD, 0);
  case FIONBIO:
    if (!argument) return -EFAULT;
    file->flags = *(const int *)argument ? file->flags | O_NONBLOCK : file->flags & ~O_NONBLOCK;
    return 0;
  case FIONREAD: return bytesToRead(file, argument);
  default:
    return __fathom_inodes[file->inode].kind == kTty ? terminalRequest((unsigned)request, argument)
                                                     : -ENOTTY;
  }
}
