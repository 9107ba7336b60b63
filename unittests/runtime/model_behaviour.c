/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the environment model does where there is no kernel to compare with: inputs, output,
 * signals, time, and how many forks symbolic values cost. Each test runs in a child, as the program
 * that the model starts.
 */
#define _GNU_SOURCE
#include "mock_engine.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALL(n, a, b, c, d) __fathom_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static int argc;
static char **argv;
static const char *expectedEnd;
static int expectedValue;

static void end(const char *how, int value) {
  if (!strcmp(how, expectedEnd) && value == expectedValue) _exit(0);
  printf("# ended: %s %d, expected %s %d\n", how, value, expectedEnd, expectedValue);
  fflush(stdout);
  _exit(1);
}

static void (*body)(void);
static void start(long *stack) {
  argc = (int)stack[0];
  argv = (char **)(stack + 1);
  body();
}

/* Runs one test and expects the path to end in this way. */
static void test(const char *name, void (*function)(void), const char *how, int value,
                 char *const *arguments) {
  pid_t child = fork();
  if (child == 0) {
    static char *const none[] = {"program", 0};
    mock.start = start;
    mock.end = end;
    body = function;
    expectedEnd = how;
    expectedValue = value;
    mockRun(arguments ? arguments : none);
    _exit(1);
  }
  int status;
  waitpid(child, &status, 0);
  tapOk(status == 0, name);
}

/* ---- the command line ---- */

static void keepsOrdinaryArguments(void) {
  CHECK(argc == 4 && !argv[4]);
  CHECK(!strcmp(argv[0], "program") && !strcmp(argv[1], "-l") && !strcmp(argv[2], "x") &&
        !strcmp(argv[3], "-sym-arg"));
  CHECK(strstr(mock.inputs, "1 0 8\n"));
  CHECK(!strcmp(argv[5], "LANG=C"));
  unsigned long *auxiliary = (unsigned long *)(argv + 7);
  int pageSize = 0;
  for (; auxiliary[0]; auxiliary += 2) pageSize |= auxiliary[0] == 6 && auxiliary[1] == 4096;
  CHECK(pageSize);
}

static void makesSymbolicInputs(void) {
  CHECK(argc == 5);
  CHECK(!strcmp(argv[1], "abc") && !strcmp(argv[2], "x"));
  CHECK(!strcmp(argv[3], "ab") && !strcmp(argv[4], "ab")); /* the mock chooses 2 of 1..3 */
  CHECK(!strcmp(mock.inputs, "1 0 8\n1 1 4\n1 2 2\n1 3 3\n1 4 3\n3 A 5\n3 B 5\n2 stdin 4\n"));
  char buffer[16];
  CHECK(CALL(SYS_read, 0, buffer, 16, 0) == 4 && !memcmp(buffer, "abcd", 4));
  CHECK(CALL(SYS_read, 0, buffer, 16, 0) == 0);
  CHECK(CALL(SYS_lseek, 0, 1, SEEK_SET, 0) == 1);
  long fd = CALL(SYS_open, "B", O_RDONLY, 0, 0);
  CHECK(fd == 3 && CALL(SYS_read, fd, buffer, 16, 0) == 5);
  struct stat s;
  CHECK(CALL(SYS_stat, "A", &s, 0, 0) == 0 && s.st_mode == (S_IFREG | 0644) && s.st_size == 5);
}

static void rejectsBadOption(void) {}

/* ---- output ---- */

static void writesOutput(void) {
  struct stat s;
  CHECK(CALL(SYS_write, 1, "hello ", 6, 0) == 6);
  long copy = CALL(SYS_dup, 1, 0, 0, 0);
  CHECK(CALL(SYS_write, copy, "world", 5, 0) == 5 && CALL(SYS_write, 2, "oops", 4, 0) == 4);
  CHECK(mock.outputSize[1] == 11 && !memcmp(mock.output[1], "hello world", 11));
  CHECK(mock.outputSize[2] == 4 && !memcmp(mock.output[2], "oops", 4));
  CHECK(CALL(SYS_fstat, 1, &s, 0, 0) == 0 && S_ISREG(s.st_mode) && s.st_size == 11);
  CHECK(CALL(SYS_lseek, 1, 0, SEEK_CUR, 0) == 11);
  CHECK(CALL(SYS_ioctl, 1, TIOCGWINSZ, &s, 0) == -ENOTTY);
  long again = CALL(SYS_open, "/dev/stdout", O_WRONLY | O_APPEND, 0, 0);
  CHECK(again >= 0 && CALL(SYS_write, again, "!", 1, 0) == 1 && mock.output[1][11] == '!');
}

static void knowsTerminals(void) {
  struct stat s;
  struct winsize size;
  CHECK(CALL(SYS_ioctl, 1, TIOCGWINSZ, &size, 0) == 0 && size.ws_col == 80);
  CHECK(CALL(SYS_fstat, 0, &s, 0, 0) == 0 && S_ISCHR(s.st_mode));
  CHECK(CALL(SYS_lseek, 0, 0, SEEK_CUR, 0) == -ESPIPE);
  CHECK(CALL(SYS_ioctl, 2, TIOCGWINSZ, &size, 0) == -ENOTTY);
}

static void devices(void) {
  char buffer[8] = "xxxxxxx";
  long fd = CALL(SYS_open, "/dev/zero", O_RDWR, 0, 0);
  CHECK(CALL(SYS_read, fd, buffer, 4, 0) == 4 && buffer[3] == 0 && buffer[4] == 'x');
  fd = CALL(SYS_open, "/dev/full", O_RDWR, 0, 0);
  CHECK(CALL(SYS_write, fd, buffer, 4, 0) == -ENOSPC);
  fd = CALL(SYS_open, "/dev/null", O_RDWR, 0, 0);
  CHECK(CALL(SYS_write, fd, buffer, 4, 0) == 4 && CALL(SYS_read, fd, buffer, 4, 0) == 0);
  CHECK(CALL(SYS_open, "/dev/tty", O_RDWR, 0, 0) == -ENXIO);
  CHECK(CALL(SYS_readlink, "/dev/stdin", buffer, 8, 0) == 8 && !memcmp(buffer, "/proc/se", 8));
  CHECK(CALL(SYS_open, "/dev/fd/1", O_WRONLY, 0, 0) > 2 &&
        CALL(SYS_open, "/dev/fd/99", O_WRONLY, 0, 0) == -ENOENT);
  CHECK(CALL(SYS_read, 0, buffer, 4, 0) == 0); /* no symbolic input: /dev/null */
}

/* Devices can be written to, but neither changed nor removed. */
static void devicesStay(void) {
  CHECK(CALL(SYS_access, "/dev/null", W_OK, 0, 0) == 0);
  CHECK(CALL(SYS_open, "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0644, 0) > 2);
  CHECK(CALL(SYS_chmod, "/dev/null", 0600, 0, 0) == -EROFS);
  CHECK(CALL(SYS_unlink, "/dev/null", 0, 0, 0) == -EROFS);
  CHECK(CALL(SYS_rename, "/dev/null", "/dev/zero", 0, 0) == -EROFS);
  CHECK(CALL(SYS_open, "/dev/new", O_WRONLY | O_CREAT, 0644, 0) == -EROFS);
  CHECK(CALL(SYS_mkdir, "/dev/fd", 0755, 0, 0) == -EEXIST);
  CHECK(CALL(SYS_access, "/proc/self", W_OK, 0, 0) == -EROFS);
  CHECK(CALL(SYS_unlink, "/proc/self/fd/0", 0, 0, 0) == -EROFS);
  CHECK(CALL(SYS_open, "/proc/self/fd/99", O_WRONLY | O_CREAT, 0644, 0) == -ENOENT);
  CHECK(CALL(SYS_open, "/dev/shm/new", O_RDWR | O_CREAT | O_EXCL, 0600, 0) > 2);
  CHECK(CALL(SYS_link, "/dev/shm/new", "/dev/shm/link", 0, 0) == 0);
  CHECK(CALL(SYS_rename, "/dev/shm/new", "new", 0, 0) == -EXDEV);
}

/* ---- files of the host ---- */

static char hostFolder[64];

static void readsOnlyTheHost(void) {
  char buffer[16];
  struct stat s;
  struct statfs f;
  long times[4] = {1, 0, 1, 0}, omit[4] = {0, UTIME_OMIT, 0, UTIME_OMIT};
  long fd = CALL(SYS_open, "/file", O_RDONLY, 0, 0);
  CHECK(fd >= 0 && CALL(SYS_read, fd, buffer, 16, 0) == 4 && !memcmp(buffer, "host", 4));
  CHECK(CALL(SYS_fchmod, fd, 0600, 0, 0) == -EROFS && CALL(SYS_fchown, fd, 1, 1, 0) == -EROFS);
  CHECK(CALL(SYS_open, "/file", O_RDWR, 0, 0) == -EROFS);
  CHECK(CALL(SYS_open, "/file", O_RDONLY | O_TRUNC, 0, 0) == -EROFS);
  CHECK(CALL(SYS_open, "/file", O_WRONLY | O_CREAT | O_EXCL, 0644, 0) == -EEXIST);
  CHECK(CALL(SYS_open, "/new", O_WRONLY | O_CREAT, 0644, 0) == -EROFS);
  CHECK(CALL(SYS_open, "/new/new", O_WRONLY | O_CREAT, 0644, 0) == -ENOENT);
  CHECK(CALL(SYS_open, "/", O_RDWR | O_TMPFILE, 0644, 0) == -EROFS);
  CHECK(CALL(SYS_truncate, "/file", 0, 0, 0) == -EROFS);
  CHECK(CALL(SYS_chown, "/file", 1, 1, 0) == -EROFS);
  CHECK(CALL(SYS_utimensat, AT_FDCWD, "/file", times, 0) == -EROFS);
  CHECK(CALL(SYS_utimensat, AT_FDCWD, "/none", omit, 0) == 0);
  CHECK(CALL(SYS_access, "/file", R_OK, 0, 0) == 0);
  CHECK(CALL(SYS_access, "/file", W_OK, 0, 0) == -EROFS);
  CHECK(CALL(SYS_unlink, "/none", 0, 0, 0) == -EROFS);
  CHECK(CALL(SYS_rmdir, "/none/none", 0, 0, 0) == -ENOENT);
  CHECK(CALL(SYS_mknod, "/file", S_IFREG | 0644, 0, 0) == -EEXIST);
  CHECK(CALL(SYS_symlink, "x", "/new", 0, 0) == -EROFS);
  CHECK(CALL(SYS_link, "/file", "/new", 0, 0) == -EROFS);
  CHECK(CALL(SYS_link, "/file", "new", 0, 0) == -EXDEV);
  CHECK(CALL(SYS_rename, "/none", "/new", 0, 0) == -EROFS);
  CHECK(CALL(SYS_rename, "/file", "new", 0, 0) == -EXDEV);
  CHECK(CALL(SYS_statfs, "/file", &f, 0, 0) == 0 && (f.f_flags & 1 /* ST_RDONLY */));
  CHECK(CALL(SYS_statfs, ".", &f, 0, 0) == 0 && !(f.f_flags & 1));
  CHECK(CALL(SYS_fstat, fd, &s, 0, 0) == 0);
  unsigned long hostDevice = s.st_dev;
  CHECK(CALL(SYS_fstat, 1, &s, 0, 0) == 0 && s.st_dev != hostDevice);
  CHECK(CALL(SYS_stat, "..", &s, 0, 0) == 0 && s.st_dev != hostDevice);
}

static void copiesOnWrite(void) {
  char buffer[16];
  struct stat s;
  long fd = CALL(SYS_open, "/tmp/file", O_RDWR, 0, 0);
  CHECK(fd >= 0 && CALL(SYS_read, fd, buffer, 16, 0) == 4 && !memcmp(buffer, "host", 4));
  CHECK(CALL(SYS_pwrite64, fd, "H", 1, 0) == 1);
  CHECK(CALL(SYS_close, fd, 0, 0, 0) == 0);
  fd = CALL(SYS_open, "/tmp/file", O_RDONLY, 0, 0);
  CHECK(CALL(SYS_read, fd, buffer, 16, 0) == 4 && !memcmp(buffer, "Host", 4));
  CHECK(CALL(SYS_unlink, "/tmp/file", 0, 0, 0) == 0);
  CHECK(CALL(SYS_access, "/tmp/file", 0, 0, 0) == -ENOENT);
  CHECK(CALL(SYS_mkdir, "/var/tmp/new", 0755, 0, 0) == 0);
  CHECK(CALL(SYS_open, "/var/tmp/new/new", O_WRONLY | O_CREAT, 0644, 0) >= 0);
  CHECK(CALL(SYS_mkdir, "/var/new", 0755, 0, 0) == -EROFS);
  CHECK(CALL(SYS_mkdir, "/var/dir/tmp/new", 0755, 0, 0) == -EROFS);
  CHECK(CALL(SYS_rename, "/var/tmp/new", "/tmp/new", 0, 0) == -EXDEV);
  CHECK(CALL(SYS_rmdir, "/tmp/fathom", 0, 0, 0) == -EBUSY);
  /* On the way to the working directory nothing is the host's. */
  CHECK(CALL(SYS_stat, "../../fathom/work", &s, 0, 0) == 0);
  CHECK(CALL(SYS_access, "../file", 0, 0, 0) == -ENOENT);
  CHECK(CALL(SYS_open, "file", O_RDONLY, 0, 0) == -ENOENT);
}

static void seesHostWorkingDirectory(void) {
  char buffer[16];
  long fd = CALL(SYS_open, "file", O_RDWR, 0, 0);
  CHECK(fd >= 0 && CALL(SYS_read, fd, buffer, 16, 0) == 4);
  CHECK(CALL(SYS_pwrite64, fd, "H", 1, 0) == 1);
  CHECK(CALL(SYS_chmod, "tmp/file", 0600, 0, 0) == 0);
  CHECK(CALL(SYS_rename, "file", "tmp/new", 0, 0) == 0);
  CHECK(CALL(SYS_open, "A", O_RDONLY, 0, 0) >= 0);
}

/* ---- symbolic paths ---- */

static void missesWithoutAskingTheHost(void) {
  mock.symbolic = 1;
  mock.forks = 0;
  CHECK(CALL(SYS_open, "zzzz", O_RDONLY, 0, 0) == -ENOENT && mock.forks == 0);
  CHECK(CALL(SYS_open, "B", O_RDONLY, 0, 0) >= 0 && mock.forks == 0);
  /* something of the host: one pinned choice, whatever the number of names */
  CHECK(CALL(SYS_access, "/file", 0, 0, 0) == 0 && mock.forks >= 1);
}

static void createsSymbolicNames(void) {
  struct stat s;
  mock.symbolic = 1;
  CHECK(CALL(SYS_open, "new", O_WRONLY | O_CREAT, 0644, 0) >= 0);
  mock.symbolic = 0;
  CHECK(CALL(SYS_stat, "new", &s, 0, 0) == 0);
}

static void pinsLongSymbolicPaths(void) {
  struct stat s;
  mock.symbolic = 1;
  mock.forks = 0;
  CHECK(CALL(SYS_stat, "././././././A", &s, 0, 0) == 0 && mock.forks > 0);
}

/* ---- signals and time ---- */

static volatile int caught, caughtSignal;
static void handler(int signal) {
  caught++;
  caughtSignal = signal;
}
static void setHandler(int signal, void (*function)(int)) {
  unsigned long action[4] = {(unsigned long)function, 0, 0, 0};
  CHECK(CALL(SYS_rt_sigaction, signal, action, 0, 8) == 0);
}

static void runsHandlers(void) {
  unsigned long mask = 1ul << (SIGUSR1 - 1), pending;
  long self = CALL(SYS_getpid, 0, 0, 0, 0);
  setHandler(SIGUSR1, handler);
  CHECK(CALL(SYS_kill, self, SIGUSR1, 0, 0) == 0 && caught == 1 && caughtSignal == SIGUSR1);
  CHECK(CALL(SYS_rt_sigprocmask, SIG_BLOCK, &mask, 0, 8) == 0);
  CHECK(CALL(SYS_tgkill, self, self, SIGUSR1, 0) == 0 && caught == 1);
  CHECK(CALL(SYS_rt_sigpending, &pending, 8, 0, 0) == 0 && pending == mask);
  CHECK(CALL(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, 0, 8) == 0 && caught == 2);
  setHandler(SIGUSR1, SIG_IGN);
  CHECK(CALL(SYS_kill, self, SIGUSR1, 0, 0) == 0 && caught == 2);
  CHECK(CALL(SYS_kill, 1, SIGUSR1, 0, 0) == -ESRCH);
}

static void aborts(void) {
  long self = CALL(SYS_gettid, 0, 0, 0, 0);
  CALL(SYS_tkill, self, SIGABRT, 0, 0);
}

static void breaksPipes(void) {
  int ends[2];
  CHECK(CALL(SYS_pipe, ends, 0, 0, 0) == 0 && CALL(SYS_close, ends[0], 0, 0, 0) == 0);
  CALL(SYS_write, ends[1], "x", 1, 0);
}

static void deadlocks(void) {
  int ends[2];
  char c;
  CALL(SYS_pipe, ends, 0, 0, 0);
  CALL(SYS_read, ends[0], &c, 1, 0);
}

static void ringsAlarms(void) {
  struct timespec before, after, rest, wait = {60, 0};
  setHandler(SIGALRM, handler);
  CHECK(CALL(SYS_clock_gettime, CLOCK_REALTIME, &before, 0, 0) == 0 && before.tv_sec == 1700000000);
  CHECK(CALL(SYS_alarm, 10, 0, 0, 0) == 0);
  CHECK(CALL(SYS_nanosleep, &wait, &rest, 0, 0) == -EINTR && caught == 1);
  CHECK(CALL(SYS_clock_gettime, CLOCK_REALTIME, &after, 0, 0) == 0 &&
        after.tv_sec - before.tv_sec == 10);
  CHECK(rest.tv_sec == 49 || rest.tv_sec == 50);
  CALL(SYS_alarm, 5, 0, 0, 0);
  CHECK(CALL(SYS_pause, 0, 0, 0, 0) == -EINTR && caught == 2);
}

static void refusesBadTimes(void) {
  struct timespec wrong[] = {{-1, 0}, {0, -1}, {0, 2000000000}}, right = {1, 0};
  for (int i = 0; i < 3; i++) {
    CHECK(CALL(SYS_ppoll, 0, 0, &wrong[i], 0) == -EINVAL);
    CHECK(__fathom_syscall(SYS_pselect6, 0, 0, 0, 0, (long)&wrong[i], 0) == -EINVAL);
    CHECK(CALL(SYS_nanosleep, &wrong[i], 0, 0, 0) == -EINVAL);
    CHECK(CALL(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &wrong[i], 0) == -EINVAL);
  }
  CHECK(CALL(SYS_clock_nanosleep, 77, 0, &right, 0) == -EINVAL);
  CHECK(CALL(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &right, 0) == -EOPNOTSUPP);
  long timer[4] = {-1, 0, 1, 0}, other[4] = {0, 0, -1, 0};
  CHECK(CALL(SYS_setitimer, 0, timer, 0, 0) == -EINVAL);
  CHECK(CALL(SYS_setitimer, 0, other, 0, 0) == -EINVAL);
}

static void timePassesWhenLookedAt(void) {
  struct timespec t;
  long looks = 0;
  do CALL(SYS_clock_gettime, CLOCK_MONOTONIC, &t, 0, 0);
  while (t.tv_sec < 1001 && looks++ < 5000);
  CHECK(looks > 100 && looks < 5000);
}

/* ---- memory, refusals, numbers ---- */

static void sharesMappings(void) {
  char buffer[8];
  long fd = CALL(SYS_open, "A", O_RDWR, 0, 0);
  char *memory =
      (char *)__fathom_syscall(SYS_mmap, 0, 5, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(!memcmp(memory, "abcde", 5));
  memory[0] = 'X';
  CHECK(CALL(SYS_pread64, fd, buffer, 8, 0) == 5 && buffer[0] == 'X');
  CHECK(CALL(SYS_pwrite64, fd, "Y", 1, 1) == 1 && memory[1] == 'Y');
  CHECK(CALL(SYS_munmap, memory, 4096, 0, 0) == 0);
  char *anonymous =
      (char *)__fathom_syscall(SYS_mmap, 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  anonymous[4095] = 1;
  char *grown = (char *)CALL(SYS_mremap, anonymous, 4096, 8192, MREMAP_MAYMOVE);
  CHECK((long)grown > 0 && grown[4095] == 1 && grown[8191] == 0);
}

/* The program's own mappings fail as they are told to; what the model needs for files does not. */
static void failsMappings(void) {
  mock.failures = 1;
  CHECK(__fathom_syscall(SYS_mmap, 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -ENOMEM);
  mock.failures = 1;
  long fd = CALL(SYS_open, "/tmp/large", O_CREAT | O_RDWR, 0600, 0);
  static char page[4096];
  for (int i = 0; i < 20; i++) CHECK(CALL(SYS_write, fd, page, sizeof page, 0) == sizeof page);
  mock.failures = 2;
  long mapped = __fathom_syscall(SYS_mmap, 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped > 0);
  *(char *)mapped = 5;
  CHECK(CALL(SYS_mremap, mapped, 4096, 8192, MREMAP_MAYMOVE) == -ENOMEM);
  CHECK(*(char *)mapped == 5);
}

static void refusesProcesses(void) {
  CHECK(CALL(SYS_fork, 0, 0, 0, 0) == -ENOSYS && strstr(mock.ledger, "process: fork"));
  CHECK(CALL(SYS_execve, "/bin/sh", 0, 0, 0) == -ENOSYS && strstr(mock.ledger, "execve"));
  CHECK(CALL(SYS_socket, 2, 1, 0, 0) == -EAFNOSUPPORT && strstr(mock.ledger, "network: "));
  CHECK(CALL(999, 0, 0, 0, 0) == -ENOSYS && strstr(mock.ledger, "system call 999"));
  CHECK(CALL(SYS_wait4, -1, 0, 0, 0) == -ECHILD);
}

static void forksOverDescriptors(void) {
  char c;
  mock.symbolic = 1;
  CHECK(CALL(SYS_fcntl, 2, F_GETFD, 0, 0) == 0 && mock.forks == 0);
  CHECK(CALL(SYS_read, 57, &c, 1, 0) == -EBADF);
}

static void sameRandomBytes(void) {
  unsigned char a[4], b[4];
  CHECK(CALL(SYS_getrandom, a, 4, 0, 0) == 4 && CALL(SYS_getrandom, b, 4, 0, 0) == 4 &&
        memcmp(a, b, 4));
  CHECK(strstr(mock.ledger, "random bytes"));
}

/* What the model is told about the host: a file, and one in each of /tmp and /tmp/fathom. */
static void makeHostFolder(void) {
  static const char *const folders[] = {"",         "/tmp",     "/tmp/fathom", "/var",
                                        "/var/tmp", "/var/dir", "/var/dir/tmp"};
  char path[128];
  strcpy(hostFolder, "/tmp/fathom-host-XXXXXX");
  if (!mkdtemp(hostFolder)) exit(2);
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(path, sizeof path, "%s%s", hostFolder, folders[i]);
    mkdir(path, 0755);
    if (i > 2) continue;
    strcat(path, "/file");
    FILE *file = fopen(path, "w");
    if (!file || fputs("host", file) < 0 || fclose(file)) exit(2);
  }
}

static int removeHostFolder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", hostFolder);
  return system(command);
}

static void exits(void) { CALL(SYS_exit_group, 259, 0, 0, 0); }

int main(void) {
  char *const ordinary[] = {"program", "-l", "x", "--fathom-end", "-sym-arg", 0};
  char *const symbolic[] = {"program", "--sym-arg",   "3", "x", "-sym-args",   "1", "3",
                            "2",       "--sym-files", "2", "5", "--sym-stdin", "4", 0};
  char *const bad[] = {"program", "--sym-arg", "many", 0};
  char *const files[] = {"program", "--sym-files", "2", "5", 0};
  makeHostFolder();

  test("ordinary arguments, environment and auxiliary vector reach the program",
       keepsOrdinaryArguments, "returned", 0, ordinary);
  test("options make symbolic arguments, files and input", makesSymbolicInputs, "returned", 0,
       symbolic);
  test("a bad option ends the path", rejectsBadOption, "--sym-arg LEN: LEN has to be a number", 0,
       bad);
  test("output goes to the engine, and descriptors 1 and 2 look like files", writesOutput,
       "returned", 0, 0);
  test("devices", devices, "returned", 0, 0);
  test("devices can be written to and nothing else", devicesStay, "returned", 0, 0);
  mock.tty = 3;
  test("descriptors can be terminals", knowsTerminals, "returned", 0, 0);
  mock.tty = -1;
  mock.hostRoot = hostFolder;
  test("files of the host can only be read", readsOnlyTheHost, "returned", 0, 0);
  test("but in /tmp and /var/tmp they are copied on the first write", copiesOnWrite, "returned", 0,
       0);
  test("a symbolic path that names nothing costs no fork", missesWithoutAskingTheHost, "returned",
       0, files);
  mock.hostRoot = 0;
  mock.hostCwd = hostFolder;
  test("the working directory can show a folder of the host", seesHostWorkingDirectory, "returned",
       0, files);
  mock.hostCwd = 0;
  test("a file can be created under a symbolic name", createsSymbolicNames, "returned", 0, files);
  test("long symbolic paths are pinned", pinsLongSymbolicPaths, "returned", 0, files);
  test("signal handlers run, when they are not blocked", runsHandlers, "returned", 0, 0);
  test("SIGABRT ends the path", aborts, "killed", SIGABRT, 0);
  test("SIGPIPE ends the path", breaksPipes, "killed", SIGPIPE, 0);
  test("a wait that nothing can end ends the path", deadlocks,
       "the program waits for data in a pipe that only it could write", 0, 0);
  test("alarms ring while the program waits", ringsAlarms, "returned", 0, 0);
  test("time passes when it is looked at", timePassesWhenLookedAt, "returned", 0, 0);
  test("times that the kernel refuses are refused", refusesBadTimes, "returned", 0, 0);
  test("shared mappings and files agree", sharesMappings, "returned", 0, files);
  test("mappings fail where they are to, files do not", failsMappings, "returned", 0, files);
  test("processes, programs and sockets are refused, with an entry in the ledger", refusesProcesses,
       "returned", 0, 0);
  test("a symbolic descriptor is one of the open ones or bad", forksOverDescriptors, "returned", 0,
       0);
  test("random bytes are the same on every run", sameRandomBytes, "returned", 0, 0);
  test("the exit status has eight bits", exits, "exit", 3, 0);
  if (removeHostFolder()) return 2;
  return tapDone();
}
