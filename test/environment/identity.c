// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids, groups, priorities, mappings and refused arguments: the same interpreted and native.
// REQUIRES: mounts
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %differential %t
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void show(const char *what, long result) {
  uid_t r, e, s;
  gid_t gr, ge, gs;
  getresuid(&r, &e, &s);
  getresgid(&gr, &ge, &gs);
  printf("%s: %ld %s; %u %u %u, %u %u %u\n", what, result, result < 0 ? strerror(errno) : "", r, e, s, gr, ge, gs);
}

static void ids(void) {
  gid_t list[] = {7, 5, 6}, back[8];
  show("setgroups", setgroups(3, list));
  int n = getgroups(8, back);
  printf("%d groups: %u %u %u\n", n, back[0], back[1], back[2]);
  show("too few", getgroups(2, back));
  show("seteuid 1000", seteuid(1000));
  show("setgroups", setgroups(1, list));
  show("setegid", setegid(1000));
  show("seteuid 0", seteuid(0));
  show("setegid", setegid(1000));
  show("setreuid", setreuid(1000, -1));
  show("setreuid", setreuid(-1, 1000));
  show("setreuid", setreuid(0, 1000));
  show("setresuid", setresuid(-1, -1, 5));
  show("setuid 0", setuid(0));
  show("setuid 7", setuid(7));
}

static void priorities(void) {
  // The model begins at 0, natively whoever runs the tests may have been nice.
  const int first = getpriority(PRIO_PROCESS, 0);
  printf("%d", nice(3) - first);
  printf(" %d\n", getpriority(PRIO_PROCESS, 0) - first);
  show("which", setpriority(9, 0, 1));
  show("fewer", setpriority(PRIO_PROCESS, 0, -5));
}

static void mappings(void) {
  char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  strcpy(p, "hello");
  void *again = mmap(p, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  printf("%d %s\n", again == MAP_FAILED ? errno : 0, p);
  show("mprotect", mprotect(p, 4096, 77));
  show("mprotect", mprotect((void *)0x1000, 4096, PROT_READ | PROT_WRITE));
  show("madvise", madvise(p, 4096, 12345));
  show("madvise", madvise((void *)0x1000, 4096, MADV_NORMAL));
  int fd = open("kept", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(fd, "abc", 3);
  int reader = open("kept", O_RDONLY);
  char *shared = mmap(0, 3, PROT_READ, MAP_SHARED, reader, 0);
  pwrite(fd, "X", 1, 1);
  printf("%.3s\n", shared);
  struct iovec v = {"12", 2};
  show("pwritev2", syscall(SYS_pwritev2, fd, &v, 1, 0L, 0L, 0x40000000L));
  struct flock lock = {.l_type = F_WRLCK, .l_whence = 9};
  show("lock", fcntl(fd, F_SETLK, &lock));
  unlink("kept");
}

static void process(void) {
  show("dumpable", prctl(PR_SET_DUMPABLE, 5));
  show("dumpable", prctl(PR_SET_DUMPABLE, 0));
  show("dumpable", prctl(PR_GET_DUMPABLE));
  show("pdeathsig", prctl(PR_SET_PDEATHSIG, 999));
  show("privileges", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  show("privileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  show("setpgid", setpgid(0, -5));
  show("setpgid", setpgid(999999, 0));
}

int main(void) {
  priorities();
  mappings();
  process();
  ids();
  return 0;
}
