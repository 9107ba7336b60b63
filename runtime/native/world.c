/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the kernel's answers depend on the machine or the moment and the model's do not, a test
 * that is replayed gets the model's: the numbers of the process, what is known about files, the
 * order of directories. The calls themselves are the kernel's.
 */
#include "world.h"

#include "../posix/syscalls.h"
#include "thread.h"

#include <asm/stat.h>
#include <asm/statfs.h>
#include <asm/unistd.h>

/* ---- numbers of the process ---- */

static long realPid(void) { return __fathom_kernel(__NR_getpid, 0, 0, 0, 0, 0, 0); }

static int numbersCall(long number, long a, long b, long c, long *result) {
  const int process = (int)a;
  switch (number) {
  case __NR_getpid:
  case __NR_getpgrp: *result = kPid; return 1;
  case __NR_getppid: *result = 1; return 1;
  case __NR_gettid: *result = __fathom_ownTid(); return 1;
  case __NR_getpgid:
  case __NR_getsid: *result = process == 0 || process == kPid ? kPid : -ESRCH; return 1;
  case __NR_setsid: *result = -EPERM; return 1;
  case __NR_setpgid: *result = __fathom_sys_setpgid(a, b); return 1;
  case __NR_getpriority: *result = __fathom_sys_getpriority(a, b); return 1;
  case __NR_setpriority: *result = __fathom_sys_setpriority(a, b, c); return 1;
  case __NR_kill: { /* the process leads its group, in the model as here */
    const long to = process == kPid ? realPid() : process == -kPid ? 0 : process;
    *result = __fathom_kernel(number, to, b, 0, 0, 0, 0);
    return 1;
  }
  default: return 0;
  }
}

/* ---- what is known about files ---- */

enum { kBlock = 4096, kSector = 512, kDirectoryBytes = 4096 };
/* Later than that is by the machine's clock, and not by the model's. */
#define LATEST_MODEL_SEC (FATHOM_START_SEC + 10000000)
/* A test's files have been made so short before it at most. */
enum { kPreparation = 60 };

static struct {
  unsigned long own, dev, shm, proc; /* file systems */
  long start;                        /* the real clock's seconds when the program started */
  int isKnown;
} world;

static unsigned long deviceOf(const char *path) {
  struct stat info;
  return __fathom_kernel(__NR_stat, (long)path, (long)&info, 0, 0, 0, 0) < 0 ? ~0ul : info.st_dev;
}

void __fathom_world_start(void) {
  struct fathom_time now = {0, 0};
  __fathom_kernel(__NR_clock_gettime, /*CLOCK_REALTIME*/ 0, (long)&now, 0, 0, 0, 0);
  world.start = now.sec;
  world.own = deviceOf(".");
}

static void learnDevices(void) {
  if (world.isKnown) return;
  world.isKnown = 1;
  world.dev = deviceOf("/dev");
  world.shm = deviceOf("/dev/shm");
  world.proc = deviceOf("/proc");
}

/* Was it made for this test, or by it? The host's files may be on the same file system, but have
 * not changed just now. */
static int isOwn(unsigned long device, unsigned long changed) {
  return device == world.own && (long)changed >= world.start - kPreparation;
}

/* As __fathom_deviceOf has them. */
static unsigned modelDevice(unsigned long device, int own) {
  learnDevices();
  if (own) return 1;
  if (device == world.dev) return 3;
  if (device == world.shm) return 4;
  return device == world.proc ? 5 : 2;
}

struct facts {
  unsigned long device, size;
  unsigned mode;
  struct fathom_time access, modify, change;
};

/* When the test did something to a file is only known by the machine's clock. The model's has not
 * moved since, unless the program looked at it. */
static struct fathom_time modelTime(struct fathom_time real) {
  return real.sec < LATEST_MODEL_SEC ? real : __fathom_clock;
}

/* What the model says of a file of which the kernel says this. */
static void toModel(struct facts *of) {
  const int own = isOwn(of->device, (unsigned long)of->change.sec);
  of->device = modelDevice(of->device, own);
  if (of->device == 3 || of->device == 5) { /* the model's own: as old as the program */
    of->access = of->modify = of->change = fathomStartTime;
  } else if (of->change.sec >= world.start - (own ? kPreparation : 0)) { /* the test's */
    of->access = modelTime(of->access);
    of->modify = modelTime(of->modify);
    of->change = of->modify; /* no program can set it */
  } else { /* the model knows only one time of the host's files, and its seconds */
    of->modify.nsec = 0;
    of->access = of->change = of->modify;
  }
  if (own && (of->mode & S_IFMT) == S_IFDIR) of->size = kDirectoryBytes;
}

static unsigned long blocksOf(const struct facts *of) {
  const unsigned type = of->mode & S_IFMT;
  return type == S_IFREG || type == S_IFDIR ? (of->size + kBlock - 1) / kBlock * (kBlock / kSector)
                                            : 0;
}

static void changeStat(struct stat *info) {
  struct facts of = {info->st_dev,
                     (unsigned long)info->st_size,
                     info->st_mode,
                     {(long)info->st_atime, (long)info->st_atime_nsec},
                     {(long)info->st_mtime, (long)info->st_mtime_nsec},
                     {(long)info->st_ctime, (long)info->st_ctime_nsec}};
  toModel(&of);
  info->st_dev = of.device;
  info->st_size = (long)of.size;
  info->st_blksize = kBlock;
  info->st_blocks = (long)blocksOf(&of);
  info->st_atime = (unsigned long)of.access.sec;
  info->st_atime_nsec = (unsigned long)of.access.nsec;
  info->st_mtime = (unsigned long)of.modify.sec;
  info->st_mtime_nsec = (unsigned long)of.modify.nsec;
  info->st_ctime = (unsigned long)of.change.sec;
  info->st_ctime_nsec = (unsigned long)of.change.nsec;
}

static struct fathom_time timeOf(struct statx_timestamp stamp) {
  struct fathom_time out = {stamp.tv_sec, stamp.tv_nsec};
  return out;
}

static struct statx_timestamp stampOf(struct fathom_time time) {
  struct statx_timestamp out = {time.sec, (unsigned)time.nsec, 0};
  return out;
}

static void changeStatx(struct statx *info) {
  struct facts of = {(unsigned long)info->stx_dev_minor & 0xff,
                     info->stx_size,
                     info->stx_mode,
                     timeOf(info->stx_atime),
                     timeOf(info->stx_mtime),
                     timeOf(info->stx_ctime)};
  /* as the kernel puts major and minor into st_dev */
  of.device |= (unsigned long)info->stx_dev_major << 8 |
               ((unsigned long)info->stx_dev_minor & 0xfffff00) << 12;
  toModel(&of);
  info->stx_dev_major = 0;
  info->stx_dev_minor = (unsigned)of.device;
  info->stx_size = of.size;
  info->stx_blksize = kBlock;
  info->stx_blocks = blocksOf(&of);
  info->stx_atime = stampOf(of.access);
  info->stx_mtime = stampOf(of.modify);
  info->stx_ctime = stampOf(of.change);
  info->stx_mask = STATX_BASIC_STATS;
  info->stx_btime = stampOf((struct fathom_time){0, 0});
  info->stx_attributes = info->stx_attributes_mask = 0;
}

static void changeStatfs(struct statfs *info) {
  enum { kReadOnly = 1 };
  __fathom_describeFileSystem(info, (info->f_flags & kReadOnly) != 0);
}

static int fileCall(long number, long a, long b, long c, long d, long e, long *result) {
  *result = 0;
  switch (number) {
  case __NR_stat:
  case __NR_lstat:
  case __NR_fstat:
    *result = __fathom_kernel(number, a, b, 0, 0, 0, 0);
    if (*result == 0) changeStat((struct stat *)b);
    return 1;
  case __NR_newfstatat:
    *result = __fathom_kernel(number, a, b, c, d, 0, 0);
    if (*result == 0) changeStat((struct stat *)c);
    return 1;
  case __NR_statx:
    *result = __fathom_kernel(number, a, b, c, d, e, 0);
    if (*result == 0) changeStatx((struct statx *)e);
    return 1;
  case __NR_statfs:
  case __NR_fstatfs:
    *result = __fathom_kernel(number, a, b, 0, 0, 0, 0);
    if (*result == 0) changeStatfs((struct statfs *)b);
    return 1;
  default: return 0;
  }
}

/* ---- directories ---- */

/* The test's own files that it made or renamed itself, in that order: the numbers of inodes go by
 * age on some file systems only. */
static unsigned long made[kMaxEntries];
static int madeCount;

static void noteMade(long directory, long path) {
  enum { kNoFollow = 0x100 };
  struct stat info;
  if (__fathom_kernel(__NR_newfstatat, directory, path, (long)&info, kNoFollow, 0, 0) < 0 ||
      !isOwn(info.st_dev, info.st_ctime))
    return;
  int at = 0;
  while (at < madeCount && made[at] != info.st_ino) at++;
  if (at == kMaxEntries) return;
  if (at == madeCount) madeCount++;
  for (; at + 1 < madeCount; at++) made[at] = made[at + 1];
  made[at] = info.st_ino;
}

static int isThere(long directory, long path) {
  return __fathom_kernel(__NR_faccessat, directory, path, 0, 0, 0, 0) == 0;
}

/* 0: what was there before; otherwise its place in `made`. */
static int ageOf(unsigned long ino) {
  for (int i = 0; i < madeCount; i++)
    if (made[i] == ino) return i + 1;
  return 0;
}

/* What makes a name is made here, and noted. */
static int makingCall(long number, long a, long b, long c, long d, long e, long *result) {
  long directory = AT_FDCWD, path = a; /* of the new name */
  int always = 1;
  switch (number) {
  case __NR_open:
    if (!(b & O_CREAT)) return 0;
    always = 0;
    break;
  case __NR_openat:
    if (!(c & O_CREAT)) return 0;
    directory = a, path = b, always = 0;
    break;
  case __NR_creat: always = 0; break;
  case __NR_mkdir:
  case __NR_mknod: break;
  case __NR_mkdirat:
  case __NR_mknodat: directory = a, path = b; break;
  case __NR_symlink:
  case __NR_rename: path = b; break;
  case __NR_symlinkat: directory = b, path = c; break;
  case __NR_renameat:
  case __NR_renameat2: directory = c, path = d; break;
  default: return 0;
  }
  if (!path || (!always && isThere(directory, path))) return 0;
  *result = __fathom_kernel(number, a, b, c, d, e, 0);
  if (*result >= 0) noteMade(directory, path);
  return 1;
}

enum { kReadWrite = 3, kPrivateAnonymous = 0x22, kMayMove = 1 };

struct record {
  unsigned long ino;
  long next;
  unsigned short length;
  byte type;
  char name[];
};

/* All of a directory, read when its first entry is asked for. Descriptors that are copies of one
 * another have one. */
struct listing {
  byte *records;
  usize used, room; /* bytes */
  unsigned *order;  /* where each record begins */
  long count;
  long at; /* the next one, or any other number: behind them */
  int descriptors;
};
static struct listing listings[FATHOM_NOFILE]; /* unused ones have no descriptor */
static struct listing *listingOf[FATHOM_NOFILE];

static void *map(usize bytes) {
  long at = __fathom_kernel(__NR_mmap, 0, (long)bytes, kReadWrite, kPrivateAnonymous, -1, 0);
  return at < 0 && at > -4096 ? 0 : (void *)at;
}
static void unmap(void *memory, usize bytes) {
  if (memory) __fathom_kernel(__NR_munmap, (long)memory, (long)bytes, 0, 0, 0, 0);
}

static void forgetRecords(struct listing *l) {
  unmap(l->records, l->room);
  unmap(l->order, (usize)(l->count + 1) * sizeof *l->order);
  *l = (struct listing){.at = l->at, .descriptors = l->descriptors};
}

/* The descriptor is closed. */
static void forget(long fd) {
  if (fd < 0 || fd >= FATHOM_NOFILE || !listingOf[fd]) return;
  struct listing *l = listingOf[fd];
  listingOf[fd] = 0;
  if (--l->descriptors) return;
  forgetRecords(l);
  l->at = 0;
}

/* Of an open directory. Each descriptor has one at most: there is always room. */
static struct listing *listingAt(long fd) {
  if (listingOf[fd]) return listingOf[fd];
  struct listing *l = listings;
  while (l->descriptors) l++;
  l->descriptors = 1;
  return listingOf[fd] = l;
}

static const struct record *recordOf(const struct listing *l, unsigned where) {
  return (const struct record *)(l->records + where);
}

static const char *nameOf(const struct record *r) { return (const char *)r + 19; }

/* "." and ".." first; then the program's own files as they were made, those of the host by name. */
static int isBefore(const struct record *a, const struct record *b, int byAge) {
  const char *x = nameOf(a), *y = nameOf(b);
  const int dotsX = x[0] == '.' && (!x[1] || (x[1] == '.' && !x[2])),
            dotsY = y[0] == '.' && (!y[1] || (y[1] == '.' && !y[2]));
  if (dotsX != dotsY) return dotsX;
  if (byAge && !dotsX && a->ino != b->ino) {
    const int ageX = ageOf(a->ino), ageY = ageOf(b->ino);
    return ageX != ageY ? ageX < ageY : a->ino < b->ino;
  }
  while (*x && *x == *y) x++, y++;
  return (byte)*x < (byte)*y;
}

/* Heap sort: nothing of libc is used. */
static void sift(struct listing *l, long root, long end, int byAge) {
  for (long child; (child = 2 * root + 1) < end; root = child) {
    if (child + 1 < end &&
        isBefore(recordOf(l, l->order[child]), recordOf(l, l->order[child + 1]), byAge))
      child++;
    if (!isBefore(recordOf(l, l->order[root]), recordOf(l, l->order[child]), byAge)) return;
    const unsigned swapped = l->order[root];
    l->order[root] = l->order[child];
    l->order[child] = swapped;
  }
}

static void sort(struct listing *l, int byAge) {
  for (long i = l->count / 2; i-- > 0;) sift(l, i, l->count, byAge);
  for (long end = l->count; end-- > 1;) {
    const unsigned largest = l->order[0];
    l->order[0] = l->order[end];
    l->order[end] = largest;
    sift(l, 0, end, byAge);
  }
}

/* 0, or -errno: as the kernel answers the first call. */
static long readAll(long fd, struct listing *l) {
  enum { kFirstRoom = 1 << 16, kMaxRecord = 280 };
  struct stat info;
  l->room = kFirstRoom;
  l->records = map(l->room);
  if (!l->records) return -ENOMEM;
  __fathom_kernel(__NR_lseek, fd, 0, 0, 0, 0, 0);
  for (;;) {
    if (l->room - l->used < kMaxRecord) {
      long larger = __fathom_kernel(__NR_mremap, (long)l->records, (long)l->room,
                                    (long)(2 * l->room), kMayMove, 0, 0);
      if (larger < 0 && larger > -4096) return -ENOMEM;
      l->records = (byte *)larger;
      l->room *= 2;
    }
    long got = __fathom_kernel(__NR_getdents64, fd, (long)(l->records + l->used),
                               (long)(l->room - l->used), 0, 0, 0);
    if (got < 0) return got;
    if (got == 0) break;
    l->used += (usize)got;
  }
  for (usize i = 0; i < l->used; i += recordOf(l, (unsigned)i)->length) l->count++;
  l->order = map((usize)(l->count + 1) * sizeof *l->order);
  if (!l->order) return -ENOMEM;
  long n = 0;
  for (usize i = 0; i < l->used; i += recordOf(l, (unsigned)i)->length) l->order[n++] = (unsigned)i;
  const int byAge = __fathom_kernel(__NR_fstat, fd, (long)&info, 0, 0, 0, 0) == 0 &&
                    isOwn(info.st_dev, info.st_ctime);
  sort(l, byAge);
  return 0;
}

static int isDirectory(long fd) {
  struct stat info;
  return fd >= 0 && fd < FATHOM_NOFILE &&
         __fathom_kernel(__NR_fstat, fd, (long)&info, 0, 0, 0, 0) == 0 &&
         (info.st_mode & S_IFMT) == S_IFDIR;
}

static long list(long fd, byte *buffer, usize size) {
  struct listing *l = listingAt(fd);
  if (!l->records) {
    const long status = readAll(fd, l);
    if (status < 0) {
      forgetRecords(l);
      return status;
    }
  }
  usize used = 0;
  for (; l->at >= 0 && l->at < l->count; l->at++) {
    const struct record *from = recordOf(l, l->order[l->at]);
    if (used + from->length > size) return used ? (long)used : -EINVAL;
    fathomCopy(buffer + used, from, from->length);
    ((struct record *)(buffer + used))->next = l->at + 1;
    used += from->length;
  }
  return (long)used;
}

/* A copy of a descriptor is the same open file: it has its position. */
static int copyCall(long number, long a, long b, long c, long *result) {
  *result = __fathom_kernel(number, a, b, c, 0, 0, 0);
  if (*result < 0 || *result >= FATHOM_NOFILE || *result == a) return 1;
  forget(*result); /* dup2 has closed it */
  if (!isDirectory(a)) return 1;
  listingOf[*result] = listingAt(a);
  listingOf[*result]->descriptors++;
  return 1;
}

static int directoryCall(long number, long a, long b, long c, long *result) {
  switch (number) {
  case __NR_close: forget(a); return 0;
  case __NR_dup:
  case __NR_dup2:
  case __NR_dup3: return copyCall(number, a, b, c, result);
  case __NR_fcntl:
    return (b == F_DUPFD || b == F_DUPFD_CLOEXEC) && copyCall(number, a, b, c, result);
  case __NR_close_range:
    for (long fd = a; fd <= b && fd < FATHOM_NOFILE; fd++) forget(fd);
    return 0;
  case __NR_getdents64:
    if (!isDirectory(a) || !b) return 0; /* the kernel says what is wrong */
    *result = list(a, (byte *)b, (unsigned)c);
    return 1;
  case __NR_lseek: {
    if (!isDirectory(a)) return 0;
    *result = __fathom_kernel(number, a, 0, 1 /* SEEK_CUR */, 0, 0, 0);
    if (*result < 0) return 1; /* opened with O_PATH */
    struct listing *l = listingAt(a);
    *result = fathomSeekDirectory(l->at, b, c);
    if (*result == 0) forgetRecords(l); /* from the start: what there is then */
    if (*result >= 0) l->at = *result;
    return 1;
  }
  default: return 0;
  }
}

int __fathom_worldCall(long number, long a, long b, long c, long d, long e, long *result) {
  return numbersCall(number, a, b, c, result) || directoryCall(number, a, b, c, result) ||
         fileCall(number, a, b, c, d, e, result) || makingCall(number, a, b, c, d, e, result);
}
