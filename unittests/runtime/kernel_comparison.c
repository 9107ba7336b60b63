/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The environment model against the real kernel: random sequences of system calls are made on both,
 * each in a child of its own, and what they answer has to be the same.
 *
 * The real side runs in a scratch folder made to look like what the model is told (chroot and
 * mounts: the test has to be started by root; half of the rounds then go on as another user): a
 * read-only host with /tmp and a working directory that can be written. Both sides write what they
 * see to a shared log. Not compared, because it belongs to the file system and not to the
 * call: inode numbers, times, blocks, sizes and link counts of directories, the order of a listing.
 */
#define _GNU_SOURCE
#include "mock_engine.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kSteps = 250, kLogBytes = 1 << 20, kFileBytes = 10, kInputBytes = 8 };

static char *logText; /* shared with the parent */
static unsigned long logUsed;
static unsigned long seed;
static unsigned user; /* that both sides run as: root, or an unprivileged user */

static long (*call)(long, long, long, long, long, long, long);
#define CALL(n, a, b, c, d) call(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static long realCall(long n, long a, long b, long c, long d, long e, long f) {
  long result = syscall(n, a, b, c, d, e, f);
  return result == -1 ? -errno : result;
}

static void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (logUsed < kLogBytes - 4096)
    logUsed += (unsigned long)vsnprintf(logText + logUsed, 4096, format, arguments);
  va_end(arguments);
}

static unsigned pick(unsigned count) {
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(seed >> 33) % count;
}

static const char *pickPath(void) {
  static char longName[300];
  static const char *paths[] = {"A",
                                "B",
                                "f",
                                "g",
                                "h",
                                "d",
                                "d/f",
                                "d/e",
                                "d/e/f",
                                "l",
                                "m",
                                "l/f",
                                ".",
                                "..",
                                "./A",
                                "d/..",
                                "d/../A",
                                "A/",
                                "A/.",
                                "A/x",
                                "no/x",
                                "",
                                "d/",
                                "d/.",
                                "l/",
                                "f/",
                                "no/",
                                "../work",
                                "./d//f",
                                longName,
                                "d/e/..",
                                "k",
                                "k/f",
                                "j",
                                "d/e/",
                                "../work/A",
                                "/",
                                "/etc",
                                "/etc/hosts",
                                "//etc//hosts",
                                "/etc/link",
                                "/etc/dir",
                                "/etc/dir/deep",
                                "/none",
                                "/work/A",
                                "/work",
                                "/dev/null",
                                "/dev/new",
                                "/proc/new",
                                "/tmp",
                                "/tmp/hosts",
                                "/tmp/link",
                                "/tmp/dir",
                                "/tmp/dir/deep",
                                "/tmp/dir/new",
                                "/tmp/new",
                                "/tmp/loop",
                                "/etc/hosts/",
                                "/etc/dir/new",
                                "/etc/new",
                                "/etc/loop"};
  if (!longName[0]) memset(longName, 'n', 256);
  return paths[pick(sizeof paths / sizeof *paths)];
}

static int pickFd(void) { return pick(12) == 0 ? -1 + (int)pick(60) : (int)pick(14); }

static int pickDirfd(void) { return pick(4) ? AT_FDCWD : pickFd(); }

static const int openFlags[] = {O_RDONLY,
                                O_WRONLY,
                                O_RDWR,
                                O_RDWR | O_CREAT,
                                O_WRONLY | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT | O_EXCL,
                                O_RDONLY | O_DIRECTORY,
                                O_WRONLY | O_APPEND,
                                O_RDWR | O_CREAT | O_APPEND,
                                O_RDONLY | O_NOFOLLOW,
                                O_PATH,
                                O_RDWR | O_TRUNC | O_CLOEXEC,
                                O_RDONLY | O_CREAT | O_NONBLOCK,
                                O_PATH | O_NOFOLLOW,
                                O_CREAT | O_DIRECTORY};
static const unsigned modes[] = {0644, 0600, 0755, 0000, 0444, 07777};

static void noteStat(const struct stat *s) {
  note(" mode %o uid %u gid %u", s->st_mode, s->st_uid, s->st_gid);
  if (!S_ISDIR(s->st_mode))
    note(" links %lu size %ld", (unsigned long)s->st_nlink, (long)s->st_size);
}

static void noteBytes(const char *data, long count) {
  note(" \"");
  for (long i = 0; i < count && i < 200; i++)
    note(data[i] >= ' ' && data[i] <= '~' ? "%c" : "\\%02x", (unsigned char)data[i]);
  note("\"");
}

static int compareText(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All names of a directory; what the model lays over the root is left out. */
static void list(int fd, unsigned room) {
  char buffer[4096], *names[256];
  int count = 0;
  long got;
  while ((got = CALL(SYS_getdents64, fd, buffer, room, 0)) > 0) {
    for (long at = 0; at < got;) {
      unsigned short length;
      memcpy(&length, buffer + at + 16, 2);
      char line[300];
      snprintf(line, sizeof line, "%s:%d", buffer + at + 19, buffer[at + 18]);
      if (count < 256 && strcmp(line, "dev:4") && strcmp(line, "proc:4") && strcmp(line, "tmp:4"))
        names[count++] = strdup(line);
      at += length;
    }
  }
  qsort(names, (size_t)count, sizeof *names, compareText);
  note(" = %ld:", got);
  for (int i = 0; i < count; i++) note(" %s", names[i]);
}

/* Maps a file, looks at it and maybe changes it, all within its size. */
static void mapAndTouch(int fd, int shared, int writes) {
  struct stat s;
  if (CALL(SYS_fstat, fd, &s, 0, 0) < 0 || !S_ISREG(s.st_mode) || fd == 1 || fd == 2) {
    note(" skipped");
    return;
  }
  long at = call(SYS_mmap, 0, 4096, PROT_READ | (writes ? PROT_WRITE : 0),
                 shared ? MAP_SHARED : MAP_PRIVATE, fd, 0);
  if (at < 0 && at > -4096) {
    note(" = %ld", at);
    return;
  }
  char *memory = (char *)at;
  noteBytes(memory, s.st_size < 64 ? s.st_size : 64);
  if (writes && s.st_size) memory[s.st_size / 2] = '!';
  note(" unmap %ld", CALL(SYS_munmap, memory, 4096, 0, 0));
}

static void ioStep(unsigned kind, unsigned step) {
  static char buffer[4096];
  char text[32];
  int fd = pickFd();
  unsigned count = pick(6) ? pick(20) : 0;
  int textLength = snprintf(text, sizeof text, "<%u>abcdefghijklmnopq", step);
  long result;
  if (count > (unsigned)textLength) count = (unsigned)textLength;
  switch (kind) {
  case 0:
    memset(buffer, '.', sizeof buffer);
    result = CALL(SYS_read, fd, buffer, count, 0);
    note("read %d %u = %ld", fd, count, result);
    noteBytes(buffer, result);
    break;
  case 1:
    result = CALL(SYS_write, fd, text, count, 0);
    note("write %d %u = %ld", fd, count, result);
    break;
  case 2: {
    long at = (long)pick(30) - 2;
    result = CALL(SYS_pread64, fd, buffer, count, at);
    note("pread %d %u %ld = %ld", fd, count, at, result);
    noteBytes(buffer, result);
    break;
  }
  case 3: {
    long at = (long)pick(30) - 2;
    if (fd == 1 || fd == 2) break;
    result = CALL(SYS_pwrite64, fd, text, count, at);
    note("pwrite %d %u %ld = %ld", fd, count, at, result);
    break;
  }
  case 4: {
    long at = (long)pick(40) - 8;
    int whence = (int)pick(4) - 1; /* SEEK_HOLE depends on the file system */
    struct stat s;
    if (whence == SEEK_END && CALL(SYS_fstat, fd, &s, 0, 0) == 0 && S_ISDIR(s.st_mode))
      break; /* every file system has its own answer */
    result = CALL(SYS_lseek, fd, at, whence, 0);
    note("lseek %d %ld %d = %ld", fd, at, whence, result);
    break;
  }
  case 5: {
    struct iovec vector[3] = {
        {text, count / 2}, {text + count / 2, 0}, {text + count / 2, count - count / 2}};
    result = CALL(SYS_writev, fd, vector, 3, 0);
    note("writev %d %u = %ld", fd, count, result);
    break;
  }
  case 6: {
    struct iovec vector[2] = {{buffer, 3}, {buffer + 3, count}};
    result = CALL(SYS_readv, fd, vector, 2, 0);
    note("readv %d %u = %ld", fd, count, result);
    noteBytes(buffer, result);
    break;
  }
  case 7: {
    long size = (long)pick(40) - 2;
    result = CALL(SYS_ftruncate, fd, size, 0, 0);
    note("ftruncate %d %ld = %ld", fd, size, result);
    break;
  }
  case 8: {
    int other = pickFd();
    result = call(SYS_copy_file_range, fd, 0, other, 0, count, 0);
    note("copy_file_range %d %d %u = %ld", fd, other, count, result);
    break;
  }
  default: {
    struct pollfd fds[2] = {{fd, POLLIN | POLLOUT, 0}, {pickFd(), POLLIN, 0}};
    result = CALL(SYS_poll, fds, 2, 0, 0);
    note("poll %d %d = %ld %x %x", fds[0].fd, fds[1].fd, result, fds[0].revents, fds[1].revents);
  }
  }
}

static void descriptorStep(unsigned kind) {
  int fd = pickFd(), other = pickFd();
  const char *path = pickPath();
  long result = 0;
  switch (kind) {
  case 0:
  case 1:
  case 2: {
    int flags = openFlags[pick(sizeof openFlags / sizeof *openFlags)], dirfd = pickDirfd();
    unsigned mode = modes[pick(6)];
    result = CALL(SYS_openat, dirfd, path, flags, mode);
    note("openat %d %s %o %o = %ld", dirfd, path, flags, mode, result);
    break;
  }
  case 3:
    result = fd > 2 ? CALL(SYS_close, fd, 0, 0, 0) : 0;
    note("close %d = %ld", fd, result);
    break;
  case 4:
    result = CALL(SYS_dup, fd, 0, 0, 0);
    note("dup %d = %ld", fd, result);
    break;
  case 5:
    if (other <= 2) other = 5;
    result = CALL(SYS_dup3, fd, other, pick(2) ? O_CLOEXEC : 0, 0);
    note("dup3 %d %d = %ld", fd, other, result);
    break;
  case 6: {
    static const int commands[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC};
    int command = commands[pick(6)];
    int argument =
        command == F_SETFL ? (pick(2) ? O_NONBLOCK | O_APPEND : O_NONBLOCK) : (int)pick(12);
    result = CALL(SYS_fcntl, fd, command, argument, 0);
    note("fcntl %d %d %d = %ld", fd, command, argument, result);
    break;
  }
  case 7: {
    int ends[2] = {-1, -1};
    result = CALL(SYS_pipe2, ends, O_NONBLOCK, 0, 0);
    note("pipe2 = %ld %d %d", result, ends[0], ends[1]);
    break;
  }
  case 8: {
    int value = -1;
    result = CALL(SYS_ioctl, fd, FIONREAD, &value, 0);
    note("FIONREAD %d = %ld", fd, result);
    if (result == 0 && fd != 1 && fd != 2) note(" %d", value);
    break;
  }
  case 9:
    result = CALL(SYS_ioctl, fd, TIOCGWINSZ, (char[64]){0}, 0);
    note("TIOCGWINSZ %d = %ld", fd, result);
    break;
  case 10:
    note("mmap %d", fd);
    mapAndTouch(fd, (int)pick(2), (int)pick(2));
    break;
  case 11:
    result = CALL(SYS_fsync, fd, 0, 0, 0);
    note("fsync %d = %ld", fd, result);
    break;
  default: {
    int dirfd = (int)CALL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
    note("list %s %d", path, dirfd);
    if (dirfd >= 0) {
      list(dirfd, pick(2) ? 4096 : 400);
      CALL(SYS_close, dirfd, 0, 0, 0);
    }
  }
  }
}

static void nameStep(unsigned kind) {
  const char *path = pickPath(), *other = pickPath();
  int dirfd = pickDirfd(), dirfd2 = pickDirfd();
  char buffer[4096];
  struct stat s;
  long result;
  switch (kind) {
  case 0:
    result = CALL(SYS_mkdirat, dirfd, path, modes[pick(3)], 0);
    note("mkdirat %d %s = %ld", dirfd, path, result);
    break;
  case 1: {
    int flags = pick(3) ? 0 : AT_REMOVEDIR;
    result = CALL(SYS_unlinkat, dirfd, path, flags, 0);
    note("unlinkat %d %s %d = %ld", dirfd, path, flags, result);
    break;
  }
  case 2: {
    unsigned flags = pick(4) ? 0 : pick(2) + 1;
    if (!strcmp(path, "/tmp/dir") || !strcmp(other, "/tmp/dir"))
      break; /* directories of the host cannot be renamed in the model */
    result = call(SYS_renameat2, dirfd, (long)path, dirfd2, (long)other, flags, 0);
    note("renameat2 %d %s %d %s %u = %ld", dirfd, path, dirfd2, other, flags, result);
    break;
  }
  case 3:
    result = call(SYS_linkat, dirfd, (long)path, dirfd2, (long)other,
                  pick(3) ? 0 : AT_SYMLINK_FOLLOW, 0);
    note("linkat %d %s %d %s = %ld", dirfd, path, dirfd2, other, result);
    break;
  case 4:
    result = CALL(SYS_symlinkat, path, dirfd, other, 0);
    note("symlinkat %s %d %s = %ld", path, dirfd, other, result);
    break;
  case 5:
    result = CALL(SYS_readlinkat, dirfd, path, buffer, pick(2) ? 3 : 4096);
    note("readlinkat %d %s = %ld", dirfd, path, result);
    noteBytes(buffer, result);
    break;
  case 6:
  case 7: {
    static const int flags[] = {0, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH,
                                AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW};
    int flag = flags[pick(4)];
    result = CALL(SYS_newfstatat, dirfd, path, &s, flag);
    note("newfstatat %d %s %d = %ld", dirfd, path, flag, result);
    if (result == 0) noteStat(&s);
    break;
  }
  case 8: {
    int fd = pickFd();
    result = CALL(SYS_fstat, fd, &s, 0, 0);
    note("fstat %d = %ld", fd, result);
    if (result == 0) noteStat(&s);
    break;
  }
  case 9: {
    unsigned mode = pick(8);
    result = call(SYS_faccessat2, dirfd, (long)path, mode, pick(2) ? AT_EACCESS : 0, 0, 0);
    note("faccessat2 %d %s %u = %ld", dirfd, path, mode, result);
    break;
  }
  case 10: {
    unsigned mode = modes[pick(6)];
    result = CALL(SYS_fchmodat, dirfd, path, mode, 0);
    note("fchmodat %d %s %o = %ld", dirfd, path, mode, result);
    break;
  }
  case 11:
    result = CALL(SYS_chdir, path, 0, 0, 0);
    note("chdir %s = %ld", path, result);
    result = CALL(SYS_getcwd, buffer, sizeof buffer, 0, 0);
    note(" getcwd %ld", result);
    noteBytes(buffer, result - 1);
    break;
  case 12: {
    long size = (long)pick(40) - 2;
    result = CALL(SYS_truncate, path, size, 0, 0);
    if (user && result == -EROFS) result = -EACCES; /* which comes first depends on the version */
    note("truncate %s %ld = %ld", path, size, result);
    break;
  }
  default: {
    long times[4] = {pick(100), pick(3) ? 5 : UTIME_OMIT, pick(100), pick(3) ? 7 : -1};
    result = CALL(SYS_utimensat, dirfd, path, times, 0);
    note("utimensat %d %s = %ld", dirfd, path, result);
    if (CALL(SYS_newfstatat, dirfd, path, &s, 0) == 0)
      note(" mtime %d", s.st_mtime < 100 ? (int)s.st_mtime : -1);
  }
  }
}

static void run(void) {
  for (unsigned step = 0; step < kSteps; step++) {
    note("%u: ", step);
    switch (pick(3)) {
    case 0: ioStep(pick(10), step); break;
    case 1: descriptorStep(pick(13)); break;
    default: nameStep(pick(14));
    }
    note("\n");
  }
}

/* ---- the two sides ---- */

static void startModel(long *stack) {
  (void)stack;
  call = __fathom_syscall;
  unsigned long ignore[4] = {(unsigned long)SIG_IGN, 0, 0, 0};
  CALL(SYS_rt_sigaction, SIGPIPE, ignore, 0, 8);
  run();
}

static void endModel(const char *how, int value) {
  if (strcmp(how, "returned")) note("ended: %s %d\n", how, value);
  _exit(0);
}

static char scratch[PATH_MAX], own[PATH_MAX + 8];

static void runModel(int symbolic) {
  char *arguments[] = {"program", "--sym-files", "2", "10", "--sym-stdin", "8", 0};
  mock.hostRoot = scratch;
  mock.cwd = "/work";
  mock.uid = user;
  mock.symbolic = symbolic;
  mock.start = startModel;
  mock.end = endModel;
  mockRun(arguments);
}

static void writeFile(const char *path, const char *text, long size) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, text, (size_t)size) != size) perror(path);
  close(fd);
}

static void redirect(const char *path, int flags, int fd) {
  int opened = open(path, flags, 0644);
  if (opened != fd) {
    dup2(opened, fd);
    close(opened);
  }
}

static void makeHostFolder(const char *folder, unsigned mode) {
  char path[64];
  mkdir(folder, 0755), chmod(folder, mode);
  snprintf(path, sizeof path, "%s/dir", folder), mkdir(path, 0755);
  snprintf(path, sizeof path, "%s/hosts", folder), writeFile(path, "127.0.0.1 localhost\n", 20);
  snprintf(path, sizeof path, "%s/dir/deep", folder), writeFile(path, "deep", 4);
  snprintf(path, sizeof path, "%s/link", folder);
  if (symlink("hosts", path)) perror(path);
  snprintf(path, sizeof path, "%s/loop", folder);
  if (symlink("loop", path)) perror(path);
}

static void mountMemory(const char *folder) {
  mkdir(folder, 0755);
  if (mount("none", folder, "tmpfs", 0, "mode=0755")) perror(folder), exit(2);
}

/* The folder that both sides see: etc/ and tmp/ are "the host's", work/ is the program's. It lies
 * with the standard streams on another file system, as on replay. */
static void makeScratch(void) {
  char letters[] = "abcdefghij";
  snprintf(scratch, sizeof scratch, "%s/fathom-model-XXXXXX",
           getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  if (!mkdtemp(scratch) || chmod(scratch, 0755) || chdir(scratch)) perror(scratch), exit(2);
  snprintf(own, sizeof own, "%s-own", scratch);
  mountMemory("dev"), mountMemory("proc"), mountMemory(own), mkdir("work", 0755);
  makeHostFolder("etc", 0755);
  makeHostFolder("tmp", 01777);
  if (mknod("dev/null", S_IFCHR, 1 << 8 | 3) || chmod("dev/null", 0666)) perror("dev/null");
  if (chdir(own)) perror(own);
  mkdir("work", 0755);
  writeFile("work/A", letters, kFileBytes);
  writeFile("work/B", letters, kFileBytes);
  writeFile("stdin", letters, kInputBytes);
  if (chown("work", user, user) || chown("work/A", user, user) || chown("work/B", user, user) ||
      chown("stdin", user, user))
    perror("chown");
}

/* A mount of its own for this part of the scratch folder. */
static void bindPart(const char *part, int readOnly) {
  char path[PATH_MAX + 64];
  struct mount_attr attributes = {0};
  attributes.attr_set = readOnly ? MOUNT_ATTR_RDONLY : 0;
  attributes.attr_clr = readOnly ? 0 : MOUNT_ATTR_RDONLY;
  snprintf(path, sizeof path, "%s%s", scratch, part);
  if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) ||
      syscall(SYS_mount_setattr, AT_FDCWD, path, 0, &attributes, sizeof attributes))
    _exit(6);
}

static void mountReal(void) {
  char work[PATH_MAX + 8];
  snprintf(work, sizeof work, "%s/work", scratch);
  if (unshare(CLONE_NEWNS) || mount("work", work, NULL, MS_BIND, NULL)) _exit(6);
  bindPart("", 1), bindPart("/dev", 1), bindPart("/proc", 1), bindPart("/tmp", 0);
}

static void runReal(void) {
  if (chdir(own)) _exit(4);
  redirect("stdin", O_RDONLY, 0);
  redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, 1);
  redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, 2);
  if (fchown(1, user, user) || fchown(2, user, user)) _exit(4);
  for (int fd = 3; fd < 1024; fd++) close(fd);
  umask(022);
  signal(SIGPIPE, SIG_IGN);
  alarm(20);
  mountReal();
  if (chroot(scratch) || chdir("/work") || setgroups(0, 0) || setresgid(user, user, user) ||
      setresuid(user, user, user))
    _exit(4);
  call = realCall;
  run();
  _exit(0);
}

static void runChild(char *shared, unsigned long seedHere, int side) {
  pid_t child = fork();
  if (child == 0) {
    logText = shared;
    seed = seedHere;
    if (side < 2) {
      mock.ledger[0] = 0;
      runModel(side);
    } else {
      runReal();
    }
    _exit(5);
  }
  int status;
  waitpid(child, &status, 0);
  if (status) strcat(shared, "child failed\n");
}

/* The first line that differs. */
static void showDifference(const char *name, const char *model, const char *real) {
  const char *line = model, *history[4] = {0};
  while (*model && *model == *real) {
    if (*model == '\n') {
      history[0] = history[1], history[1] = history[2], history[2] = line;
      line = model + 1;
    }
    model++, real++;
  }
  size_t before = (size_t)(model - line);
  printf("# %s: first difference\n#   model  %.*s\n#   kernel %.*s\n", name,
         (int)strcspn(line, "\n"), line, (int)strcspn(real - before, "\n"), real - before);
}

static void removeScratch(void) {
  char command[4 * PATH_MAX + 64];
  snprintf(command, sizeof command, "umount '%s/dev' '%s/proc' '%s'; rm -rf '%s' '%s'", scratch,
           scratch, own, scratch, own);
  if (chdir("/") || system(command)) perror("rm");
}

int main(int argc, char **argv) {
  unsigned long first = argc > 1 ? strtoul(argv[1], 0, 10) : 1,
                rounds = argc > 2 ? strtoul(argv[2], 0, 10) : 40;
  char *logs[3];
  if (getuid() != 0 || unshare(CLONE_NEWNS) ||
      mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
    puts("1..0 # SKIP chroot and mounts need root");
    return 0;
  }
  for (int i = 0; i < 3; i++)
    logs[i] = mmap(0, kLogBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (unsigned long round = first; round < first + rounds; round++) {
    char name[96];
    user = round % 2 ? 0 : 65534;
    makeScratch();
    for (int side = 0; side < 3; side++) {
      memset(logs[side], 0, kLogBytes);
      runChild(logs[side], round * 7919, side);
    }
    removeScratch();
    snprintf(name, sizeof name, "system calls answer as the kernel does (seed %lu)", round);
    if (!tapOk(!strcmp(logs[0], logs[2]), name)) showDifference(name, logs[0], logs[2]);
    snprintf(name, sizeof name, "and so they do where paths and numbers are symbolic (seed %lu)",
             round);
    if (!tapOk(!strcmp(logs[1], logs[2]), name)) showDifference(name, logs[1], logs[2]);
    if (getenv("VERBOSE")) fputs(logs[0], stdout);
  }
  return tapDone();
}
