/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The state of the modelled kernel: what the files of runtime/posix share.
 *
 *   descriptor (fd.c)  ->  open file (shared by dup, holds the offset)  ->  inode (inode.c)
 *   entry (a name in a directory)  ->  inode
 *
 * All tables are fixed arrays of plain data addressed by small indices: the engine copies pages on
 * write, so that a forked path pays only for what it changes, and nothing here is ever on the
 * program's heap. File contents grow in memory from __fathom_alloc.
 *
 * This code is executed symbolically. Three habits follow, and every file keeps to them:
 *   - what the program passes may be symbolic: a number is made concrete (or forked over) before it
 *     is a size, an offset or an index, and each place says which of the two and why. Sizes and
 *     offsets of data files and streams stay symbolic if the engine asks for that
 *     (__fathom_staysSymbolic);
 *   - names are compared whole (differences are accumulated, then one branch), never byte by byte
 *     with an early exit, where a byte may be symbolic: one fork per known name instead of one per
 *     byte;
 *   - every answer that is not the kernel's goes through __fathom_ledger.
 *
 * Functions return what the kernel does: a value >= 0, or -errno.
 */
#ifndef FATHOM_POSIX_STATE_H
#define FATHOM_POSIX_STATE_H

#include <fathom/abi.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/limits.h>
#include <linux/stat.h>

typedef unsigned long usize;
typedef unsigned char byte;

enum { kMaxInodes = 512, kMaxEntries = 512, kMaxFds = 1024, kMaxOpenFiles = 256, kMaxName = 255 };
/* Contents kept in memory beyond this are refused with ENOSPC and a ledger entry. */
#define FATHOM_MAX_FILE_BYTES (64ul << 20)

#define FATHOM_NONE (-1)
#define FATHOM_NOFILE 1024 /* RLIMIT_NOFILE */

struct fathom_time {
  long sec, nsec;
};

#define FATHOM_SECOND 1000000000l /* nanoseconds */
#define FATHOM_START_SEC FATHOM_MODEL_START
#define FATHOM_BOOT_SEC 1000l     /* since when the machine has been up then */
#define FATHOM_LOOK_NSEC 1000000l /* one look at the clock takes a millisecond */

static const struct fathom_time fathomStartTime = {FATHOM_START_SEC, 0};

static inline struct fathom_time fathomAdd(struct fathom_time a, struct fathom_time b) {
  struct fathom_time sum = {a.sec + b.sec, a.nsec + b.nsec};
  if (sum.nsec >= FATHOM_SECOND) {
    sum.nsec -= FATHOM_SECOND;
    sum.sec++;
  }
  return sum;
}

static inline struct fathom_time fathomSubtract(struct fathom_time a, struct fathom_time b) {
  struct fathom_time difference = {a.sec - b.sec, a.nsec - b.nsec};
  if (difference.nsec < 0) {
    difference.nsec += FATHOM_SECOND;
    difference.sec--;
  }
  return difference;
}

static inline int fathomIsValid(struct fathom_time t) {
  return t.sec >= 0 && t.nsec >= 0 && t.nsec < FATHOM_SECOND;
}
static inline int fathomBefore(struct fathom_time a, struct fathom_time b) {
  return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

enum fathom_kind {
  kFree = 0,
  kRegular,
  kDirectory,
  kLink,   /* data holds the target */
  kPipe,   /* data[head..size) is what has been written and not read */
  kStream, /* standard output or error as a regular file: bytes go to __fathom_output */
  kTty,    /* terminal: reads data like a regular file without seeking, writes like kStream */
  kNoTty,  /* /dev/tty when there is no controlling terminal */
  kNull,
  kZero,
  kFull,
  kRandom
};

/* What is mounted where. Nothing is linked or renamed from one mount into another. What is read
 * only here is read only when a test is replayed (lib/native/Confine.h). */
enum fathom_mount {
  kMountOwn = 0, /* the working directory and what is in it, standard streams, pipes */
  kMountHost,    /* files of the host: read only */
  kMountTmp,     /* the host's /tmp: what changes is the copy in memory ... */
  kMountVarTmp,  /* ... and so in /var/tmp */
  kMountDev,     /* the model's own /dev: read only, but its devices can be written to */
  kMountShm,     /* the model's own /dev/shm, empty at the start */
  kMountProc     /* the model's own /proc: read only */
};

struct fathom_inode {
  byte kind;
  byte mount;
  byte host; /* contents (regular, link) or listing (directory) still come from the host, see entry
              */
  byte fdListing; /* /proc/self/fd: names are the open descriptors */
  byte mapped; /* data is from __fathom_alloc and is given back; inputs have memory of exactly their
                  size instead */
  signed char stream; /* kStream, kTty: 1 or 2 */
  unsigned mode;      /* permission bits only */
  unsigned uid, gid, nlink;
  unsigned names; /* entries that refer to it */
  unsigned opens; /* open files, mappings and the working directory */
  int parent;     /* directory: the one it is in */
  int entry;      /* host: the entry it was found by, FATHOM_NONE for a host prefix */
  const char
      *hostPrefix; /* host directory that is not below another one: its path without final '/' */
  unsigned long ino;
  usize size, capacity, head;
  byte *data; /* bytes from capacity to size read as zero */
  struct fathom_time atime, mtime, ctime;
};

struct fathom_entry {
  byte used;
  short directory;
  short inode; /* FATHOM_NONE: the host's file of this name has been removed (in /tmp, or where the
                  working directory shows a folder of the host) */
  byte onHost; /* the host has this name, too: that is its place in a listing */
  byte length;
  char name[kMaxName]; /* may have symbolic bytes, never NUL or '/'; not terminated */
};

struct fathom_openFile {
  int references; /* descriptors */
  int inode;
  int flags;   /* O_ACCMODE, O_APPEND, O_NONBLOCK, O_PATH, ... as F_GETFL shows them */
  long offset; /* in a directory: the position of getdents64 */
};

extern struct fathom_inode __fathom_inodes[kMaxInodes];
extern struct fathom_entry __fathom_entries[kMaxEntries];
extern int __fathom_entryCount; /* entries at and above it have never been used */
extern struct fathom_openFile __fathom_openFiles[kMaxOpenFiles];
extern short __fathom_fds[kMaxFds]; /* open file, or FATHOM_NONE */
extern int __fathom_fdLimit;        /* descriptors at and above it have never been used */
extern int __fathom_rootInode, __fathom_cwdInode;

/* process-wide settings (ids.c, time.c) */
extern unsigned __fathom_uid, __fathom_gid, __fathom_umask;
extern struct fathom_time __fathom_clock;
extern unsigned long __fathom_randomState;

/* ---- values that may be symbolic (value.c) ---- */

/* count as a concrete number <= limit: forks on "at least limit", pins it below. */
usize __fathom_countUpTo(usize count, usize limit, const char *why);
/* As above for bytes that the program wants read from its buffer: a count that can go beyond the
 * buffer's object forks, and that side makes the access (which the engine reports). */
usize __fathom_countFrom(const void *buffer, usize count, usize limit, const char *why);
/* Can this symbolic size or offset stay what it is (FATHOM_CONFIG_SIZED_INPUT)? Forks where it can
 * be too large for that. */
int __fathom_staysSymbolic(usize value);
/* As the two above, of a count that need not be a number. */
usize __fathom_sizeUpTo(usize count, usize limit, const char *why);
usize __fathom_sizeFrom(const void *buffer, usize count, usize limit, const char *why);
/* A concrete number; pinned (ledger) if symbolic. */
long __fathom_pinned(long value, const char *why);

/* ---- inodes (inode.c) ---- */

int __fathom_newInode(enum fathom_kind kind,
                      unsigned mode); /* FATHOM_NONE when the table is full */
void __fathom_keep(int inode);        /* opens + 1 */
void __fathom_release(int inode);     /* opens - 1; frees it when nothing refers to it */
void __fathom_dropIfUnused(int inode);
/* Room for size bytes in data; 0 or -errno. */
long __fathom_reserve(struct fathom_inode *node, usize size);
/* Contents move from the host into memory, before the first change. */
long __fathom_materialize(int inode);
long __fathom_readData(int inode, usize offset, void *buffer, usize count);
long __fathom_writeData(int inode, usize offset, const void *buffer, usize count);
long __fathom_resize(int inode, usize size);
/* The host's path of a host inode, or of name (not terminated) in that host directory. */
long __fathom_hostPath(int inode, const char *name, usize length, char *out, usize size);
/* May the caller do this (bits 4 read, 2 write, 1 search or execute)? */
int __fathom_allowed(int inode, unsigned bits);
/* Is it on a read-only mount? */
int __fathom_readOnly(int inode);
unsigned __fathom_fileType(int inode); /* S_IFMT bits */
void __fathom_touch(int inode, int access, int modify, int change);

/* ---- names (name.c) ---- */

int __fathom_addEntry(int directory, const char *name, usize length, int inode); /* 0 or -errno */
void __fathom_removeEntry(int entry);
/* Entry index for a name whose bytes are compared one by one; FATHOM_NONE if it does not exist. */
int __fathom_findEntry(int directory, const char *name, usize length);
int __fathom_entryOf(int directory, int inode);
int __fathom_isEmptyDirectory(int directory);
/* Enters what the host has under this name into the tables; FATHOM_NONE if it has nothing. */
int __fathom_importHost(int directory, const char *name, usize length);
byte __fathom_mountFor(int directory, const char *name, usize length);
/* In a directory of the host: forks over the kinds of files that the symbolic rest of a path can
 * name, if the engine wants that. With import: an entry of that kind; FATHOM_NONE: of no kind.
 * Without: FATHOM_NONE in any case, and the kind is decided. */
int __fathom_matchHostKind(int directory, const char *text, usize left, int import);

/* ---- paths (path.c) ---- */

/* A path copied from the program. text[length] is the first byte that is certainly NUL; earlier
 * ones may be. */
struct fathom_path {
  char text[PATH_MAX + 1];
  usize length;
  int symbolic;
};
long __fathom_getPath(const char *user, struct fathom_path *path);
/* The same for a path that the model itself made. */
long __fathom_makePath(const char *text, usize length, struct fathom_path *path);

enum {
  kFollow = 1,  /* a symbolic link as last component is followed */
  kParent = 2,  /* the last name is to be created, removed or replaced: it may be missing, or too
                   long (nameLength), and a slash after it changes nothing */
  kKindOnly = 4 /* nothing is asked but what kind of file it is, and whose (hostkind.c) */
};
enum fathom_last { kLastNormal, kLastDot, kLastDotDot, kLastRoot };

struct fathom_found {
  int inode;     /* FATHOM_NONE: missing (only with kParent, otherwise lookup returns -ENOENT) */
  int directory; /* of the last component */
  int entry;     /* of the last component; FATHOM_NONE for ".", "..", "/" */
  enum fathom_last last;
  int slash; /* the path ended in '/' */
  usize nameLength;
  char name[kMaxName];
};
long __fathom_lookup(int dirfd, const struct fathom_path *path, int flags,
                     struct fathom_found *found);
/* getPath and lookup in one; AT_EMPTY_PATH with an empty path gives the descriptor's inode. */
long __fathom_lookupUser(int dirfd, const char *user, int flags, int atEmptyPath,
                         struct fathom_found *found);

/* ---- descriptors (fd.c) ---- */

/* A descriptor that may be symbolic as a concrete open one (forking over the open ones), or -EBADF.
 */
long __fathom_fd(long fd);
struct fathom_openFile *__fathom_file(long fd); /* 0 if not open */
int __fathom_newOpenFile(int inode, int flags); /* index or -errno */
long __fathom_installFd(int openFile, int lowest, int closeOnExec);
void __fathom_setFd(int fd, int openFile, int closeOnExec);
int __fathom_closeOnExec(int fd);

/* ---- others ---- */

void __fathom_filesystemInit(void);
void __fathom_idsInit(void);
void __fathom_now(struct fathom_time *out); /* advances the clock a little */
unsigned long __fathom_cycles(void);        /* what rdtsc says: lib/program/LowerAssembly.cpp */
long __fathom_checkSleepClock(long clock);  /* 0, or the error of sleeping by it */
long __fathom_sendSignal(int signal);       /* to ourselves; 1 if a handler ran; may end the path */
long __fathom_signalProcess(int signal);    /* the same, or to a thread that waits for it: then 0 */
int __fathom_waitsForSignal(void);          /* some thread does */
void __fathom_reportEndlessWait(void) __attribute__((noreturn)); /* for a signal */
void __fathom_randomBytes(byte *out, usize count);
/* What rep movs and rep stos of `count` units do: lib/program/TranslateAssembly.cpp. */
void __fathom_repeat_movs(byte *to, const byte *from, usize count, usize size);
void __fathom_repeat_stos(byte *to, unsigned long value, usize count, usize size);
/* Shared mappings of a file: into the file before it is read, and what is written into them
 * (memory.c). */
void __fathom_beforeRead(int inode);
void __fathom_afterWrite(int inode, usize offset, const void *data, usize count);

/* ---- small helpers ---- */

static inline void fathomCopy(void *to, const void *from, usize count) {
  __builtin_memcpy(to, from, count);
}
static inline void fathomZero(void *to, usize count) { __builtin_memset(to, 0, count); }
static inline usize fathomLength(const char *text) {
  usize n = 0;
  while (text[n]) n++;
  return n;
}
/* Moves the position in a directory, as ext4 does it: the end is as far as a number goes. */
static inline long fathomSeekDirectory(long at, long offset, long whence) {
  const long end = 0x7fffffffffffffff;
  switch ((int)whence) {
  case 0: /* SEEK_SET */ break;
  case 1: /* SEEK_CUR */
    if (__builtin_add_overflow(at, offset, &offset)) return -EINVAL;
    break;
  case 2: /* SEEK_END */
    if (__builtin_add_overflow(end, offset, &offset)) return -EINVAL;
    break;
  case 3: /* SEEK_DATA */
    if (offset < 0 || offset == end) return -ENXIO;
    break;
  case 4: /* SEEK_HOLE */
    if (offset < 0 || offset == end) return -ENXIO;
    offset = end;
    break;
  default: return -EINVAL;
  }
  return offset < 0 ? -EINVAL : offset;
}
static inline usize fathomMin(usize a, usize b) { return a < b ? a : b; }

#endif
