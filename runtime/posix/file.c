/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opening, reading, writing and resizing.
 */
#include "syscalls.h"
#include <linux/falloc.h>
#include <linux/signal.h>
#include <linux/uio.h>

/* The kernel never moves more than this in one call. */
#define MAX_RW_COUNT 0x7ffff000ul
#define MAX_OFFSET 0x7ffffffffffff000ul /* ext4's is smaller; nothing here depends on it */

/* A file that a user other than root changes loses its set-id bits. */
static void dropSetId(int inode) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (__fathom_uid == 0) return;
  node->mode &= ~(unsigned)S_ISUID;
  if (node->mode & S_IXGRP) node->mode &= ~(unsigned)S_ISGID;
}

/* ---- open ---- */

/* A directory that has been removed takes no new names. */
static int isRemoved(int directory) {
  const struct fathom_inode *node = &__fathom_inodes[directory];
  return node->names == 0 && !node->hostPrefix && directory != __fathom_rootInode;
}

/* May a name be added to or removed from this directory? */
long __fathom_directoryWritable(int directory) {
  if (__fathom_readOnly(directory)) return -EROFS;
  if (!__fathom_allowed(directory, 3)) return -EACCES;
  return isRemoved(directory) ? -ENOENT : 0;
}

static long createFile(const struct fathom_found *found, unsigned mode) {
  if (found->nameLength > kMaxName) return -ENAMETOOLONG;
  if (__fathom_inodes[found->directory].fdListing) return -ENOENT;
  long status = __fathom_directoryWritable(found->directory);
  if (status < 0) return status;
  int inode = __fathom_newInode(kRegular, mode & ~__fathom_umask & 07777);
  if (inode == FATHOM_NONE) return -ENOSPC;
  status = __fathom_addEntry(found->directory, found->name, found->nameLength, inode);
  if (status < 0) {
    __fathom_dropIfUnused(inode);
    return status;
  }
  __fathom_touch(found->directory, 0, 1, 1);
  return inode;
}

/* O_TMPFILE: a file without a name in the directory. */
static long createUnnamed(const struct fathom_found *found, long flags, unsigned mode) {
  if (__fathom_inodes[found->inode].kind != kDirectory) return -ENOTDIR;
  if ((flags & O_ACCMODE) == O_RDONLY) return -EINVAL;
  long status = __fathom_directoryWritable(found->inode);
  if (status < 0) return status;
  int inode = __fathom_newInode(kRegular, mode & ~__fathom_umask & 07777);
  if (inode == FATHOM_NONE) return -ENOSPC;
  __fathom_inodes[inode].nlink = 0;
  __fathom_inodes[inode].mount = __fathom_inodes[found->inode].mount;
  return inode;
}

/* What an existing file says to these flags. */
static long checkExisting(const struct fathom_found *found, long flags) {
  const struct fathom_inode *node = &__fathom_inodes[found->inode];
  static const byte accessBits[4] = {4, 2, 6, 6};
  if ((flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
  if (node->kind == kLink) return (flags & O_PATH) ? 0 : -ELOOP;
  if ((flags & O_DIRECTORY) && node->kind != kDirectory) return -ENOTDIR;
  if (flags & O_PATH) return 0;
  if (node->kind == kDirectory &&
      ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC))))
    return -EISDIR;
  /* Only files have to lie on a mount that can be written, devices do not. The kernel asks for
   * truncation before it looks at permissions, for writing after that. */
  int readOnly = __fathom_readOnly(found->inode) && __fathom_fileType(found->inode) == S_IFREG;
  if (readOnly && (flags & O_TRUNC)) return -EROFS;
  if (!__fathom_allowed(found->inode, accessBits[flags & O_ACCMODE])) return -EACCES;
  if ((flags & O_TRUNC) && !__fathom_allowed(found->inode, 2)) return -EACCES;
  if (readOnly && (flags & O_ACCMODE) != O_RDONLY) return -EROFS;
  return node->kind == kNoTty ? -ENXIO : 0;
}

static long findOrCreate(long dirfd, const char *user, long flags, unsigned mode) {
  struct fathom_path path;
  struct fathom_found found;
  long status = __fathom_getPath(user, &path);
  if (status < 0) return status;
  int follow = (flags & O_NOFOLLOW) || ((flags & O_CREAT) && (flags & O_EXCL)) ? 0 : kFollow;
  int create = (flags & O_CREAT) && !(flags & O_PATH);
  status = __fathom_lookup((int)dirfd, &path, follow | (create ? kParent : 0), &found);
  if (status < 0) return status;
  if ((flags & O_TMPFILE) == O_TMPFILE) return createUnnamed(&found, flags, mode);
  if (create && found.slash && found.last == kLastNormal) return -EISDIR;
  if (found.inode == FATHOM_NONE) return createFile(&found, mode);
  status = checkExisting(&found, flags);
  if (status < 0) return status;
  if ((flags & O_TRUNC) && !(flags & O_PATH) && __fathom_fileType(found.inode) == S_IFREG) {
    status = __fathom_resize(found.inode, 0);
    if (status < 0) return status;
    dropSetId(found.inode);
    __fathom_touch(found.inode, 0, 1, 1);
  }
  return found.inode;
}

long __fathom_sys_openat(long dirfd, const char *path, long flags, long mode) {
  flags = __fathom_pinned((int)flags, "flags of open");
  if ((flags & O_TMPFILE & ~O_DIRECTORY) && !(flags & O_DIRECTORY)) return -EINVAL;
  if ((flags & O_CREAT) && (flags & O_DIRECTORY) && !(flags & O_PATH)) return -EINVAL;
  if (flags & O_PATH) flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  long inode = findOrCreate(dirfd, path, flags, (unsigned)mode);
  if (inode < 0) return inode;
  int shown = (int)flags & ~(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC);
  if (!(flags & O_PATH)) shown |= O_LARGEFILE;
  int file = __fathom_newOpenFile((int)inode, shown);
  if (file < 0) {
    __fathom_dropIfUnused((int)inode);
    return file;
  }
  return __fathom_installFd(file, 0, (flags & O_CLOEXEC) != 0);
}

/* ---- read ---- */

/* Are there open files through which this pipe can still be read (O_RDONLY) or written (O_WRONLY)?
 */
int __fathom_pipeHas(int inode, int access) {
  for (int i = 0; i < kMaxOpenFiles; i++) {
    const struct fathom_openFile *file = &__fathom_openFiles[i];
    int mode = file->flags & O_ACCMODE;
    if (file->references && file->inode == inode && (mode == access || mode == O_RDWR)) return 1;
  }
  return 0;
}

static long readPipe(struct fathom_openFile *file, void *buffer, usize count) {
  struct fathom_inode *node = &__fathom_inodes[file->inode];
  while (node->size == node->head) {
    if (!__fathom_pipeHas(file->inode, O_WRONLY)) return 0;
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    long status = __fathom_waitForEvent(0);
    if (status == -EDEADLK)
      __fathom_unsupported("the program waits for data in a pipe that only it could write");
    if (status < 0) return status;
  }
  count = __fathom_countUpTo(count, node->size - node->head, "number of bytes to read from a pipe");
  fathomCopy(buffer, node->data + node->head, count);
  node->head += count;
  if (node->head == node->size) node->head = node->size = 0;
  return (long)count;
}

static long readFile(struct fathom_openFile *file, void *buffer, usize count, long *offset) {
  if ((file->flags & O_ACCMODE) == O_WRONLY || (file->flags & O_PATH)) return -EBADF;
  struct fathom_inode *node = &__fathom_inodes[file->inode];
  if (node->kind == kDirectory) return -EISDIR;
  if (count == 0) return 0;
  if (!buffer && node->kind != kNull && !(node->kind == kRegular && (usize)*offset >= node->size))
    return -EFAULT;
  long done;
  switch (node->kind) {
  case kNull: return 0;
  case kZero:
  case kFull:
    count =
        __fathom_countFrom(buffer, count, MAX_RW_COUNT, "number of bytes to read from a device");
    fathomZero(buffer, count);
    return (long)count;
  case kRandom:
    count =
        __fathom_countFrom(buffer, count, MAX_RW_COUNT, "number of bytes to read from a device");
    __fathom_randomBytes(buffer, count);
    return (long)count;
  case kPipe: return readPipe(file, buffer, count);
  case kStream:
    __fathom_ledger("environment",
                    "the program reads back its own standard output: shown as empty");
    return 0;
  default: done = __fathom_readData(file->inode, (usize)*offset, buffer, count);
  }
  if (done > 0) {
    *offset += done;
    if (!(file->flags & O_NOATIME) && !__fathom_readOnly(file->inode))
      __fathom_touch(file->inode, 1, 0, 0);
  }
  return done;
}

long __fathom_sys_read(long fd, void *buffer, usize count) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file ? readFile(file, buffer, count, &file->offset) : -EBADF;
}

/* An offset given by the program. Where it has to be a number and the file is small, a symbolic one
 * is forked over the places in it. */
static long concreteOffset(int inode, long offset) {
  if (!__fathom_is_symbolic((usize)offset)) return offset;
  if (offset < 0) return -1;
  if (__fathom_staysSymbolic((usize)offset)) return offset;
  const struct fathom_inode *node = &__fathom_inodes[inode];
  if ((usize)offset < node->size)
    return (long)__fathom_countUpTo((usize)offset, node->size, "offset in a file");
  return __fathom_pinned(offset, "offset beyond the end of a file");
}

static int hasOffset(const struct fathom_openFile *file) {
  byte kind = __fathom_inodes[file->inode].kind;
  return kind != kPipe && kind != kTty;
}

long __fathom_sys_pread64(long fd, void *buffer, usize count, long offset) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (offset < 0) return -EINVAL;
  if (!file) return -EBADF;
  if (file->flags & O_PATH) return -EBADF;
  if (!hasOffset(file)) return -ESPIPE;
  offset = concreteOffset(file->inode, offset);
  return readFile(file, buffer, count, &offset);
}

/* ---- write ---- */

/* As much as there is room for. */
static long fillPipe(int inode, const void *buffer, usize count) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  usize used = node->size - node->head;
  if (node->head) {
    __builtin_memmove(node->data, node->data + node->head, used);
    node->head = 0;
    node->size = used;
  }
  return __fathom_writeData(inode, used, buffer, count);
}

static long writePipe(struct fathom_openFile *file, const byte *buffer, usize count) {
  const struct fathom_inode *node = &__fathom_inodes[file->inode];
  usize done = 0;
  for (;;) {
    if (!__fathom_pipeHas(file->inode, O_RDONLY)) {
      __fathom_sendSignal(SIGPIPE);
      return done ? (long)done : -EPIPE;
    }
    usize room = kPipeBytes - (node->size - node->head), part = count - done;
    int fits = part <= room, splits = part > PIPE_BUF && room > 0;
    if (fits || splits) {
      long written = fillPipe(file->inode, buffer + done, fits ? part : room);
      if (written < 0) return done ? (long)done : written;
      done += (usize)written;
      if (fits || (file->flags & O_NONBLOCK)) return (long)done;
      __fathom_eventHappened();
    }
    if (file->flags & O_NONBLOCK) return done ? (long)done : -EAGAIN;
    long status = __fathom_waitForEvent(0);
    if (status == -EDEADLK)
      __fathom_unsupported("the program waits for room in a pipe that only it could read");
    if (status < 0) return done ? (long)done : status;
  }
}

static long writeStream(struct fathom_openFile *file, const void *buffer, usize count,
                        long *offset) {
  struct fathom_inode *node = &__fathom_inodes[file->inode];
  if (node->kind == kStream) {
    if (file->flags & O_APPEND) *offset = (long)node->size;
    if ((usize)*offset != node->size)
      __fathom_ledger("environment",
                      "output written at another place than the end of standard output");
    *offset += (long)count;
    if ((usize)*offset > node->size) node->size = (usize)*offset;
  }
  __fathom_output(node->stream, buffer, count);
  return (long)count;
}

static long writeRegular(struct fathom_openFile *file, const void *buffer, usize count,
                         long *offset) {
  if (file->flags & O_APPEND) *offset = (long)__fathom_inodes[file->inode].size;
  if ((usize)*offset > MAX_OFFSET - count) return -EFBIG;
  long done = __fathom_writeData(file->inode, (usize)*offset, buffer, count);
  if (done > 0) {
    *offset += done;
    dropSetId(file->inode);
    __fathom_touch(file->inode, 0, 1, 1);
  }
  return done;
}

static long writeAt(struct fathom_openFile *file, const void *buffer, usize count, long *offset) {
  if ((file->flags & O_ACCMODE) == O_RDONLY || (file->flags & O_PATH)) return -EBADF;
  byte kind = __fathom_inodes[file->inode].kind;
  if (kind == kNull || kind == kZero)
    return (long)__fathom_countUpTo(count, MAX_RW_COUNT, "number of bytes to write to a device");
  if (kind == kFull) return count ? -ENOSPC : 0;
  if (kind == kRandom)
    return (long)__fathom_countUpTo(count, MAX_RW_COUNT, "number of bytes to write to a device");
  const char *why = "number of bytes to write";
  count = kind == kPipe ? __fathom_countFrom(buffer, count, MAX_RW_COUNT, why)
                        : __fathom_sizeFrom(buffer, count, MAX_RW_COUNT, why);
  const int isStream = kind == kStream || kind == kTty;
  /* Output of no bytes is none: no path of its own for a symbolic count. */
  if (!isStream && count == 0) return 0;
  if (!buffer) return count ? -EFAULT : 0;
  if (kind == kPipe) return writePipe(file, buffer, count);
  return isStream ? writeStream(file, buffer, count, offset)
                  : writeRegular(file, buffer, count, offset);
}

long __fathom_sys_write(long fd, const void *buffer, usize count) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file ? writeAt(file, buffer, count, &file->offset) : -EBADF;
}

long __fathom_sys_pwrite64(long fd, const void *buffer, usize count, long offset) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (offset < 0) return -EINVAL;
  if (!file || (file->flags & O_PATH)) return -EBADF;
  if (!hasOffset(file)) return -ESPIPE;
  offset = concreteOffset(file->inode, offset);
  return writeAt(file, buffer, count, &offset);
}

/* ---- vectors ---- */

static long vectorLength(long count) {
  count = __fathom_pinned((int)count, "number of buffers");
  return count < 0 || count > 1024 ? -EINVAL : count;
}

/* Offset 0 with positional == 0 means "the file's own". */
static long transferVector(long fd, const struct iovec *vector, long count, int writing,
                           int positional, long offset) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file) return -EBADF;
  if (positional && offset < 0) return -EINVAL;
  if (positional && !hasOffset(file)) return -ESPIPE;
  int access = file->flags & O_ACCMODE;
  if ((file->flags & O_PATH) || access == (writing ? O_RDONLY : O_WRONLY)) return -EBADF;
  count = vectorLength(count);
  if (count < 0) return count;
  if (count && !vector) return -EFAULT;
  long *at = positional ? &offset : &file->offset;
  if (positional) offset = concreteOffset(file->inode, offset);
  long total = 0;
  for (long i = 0; i < count; i++) {
    if (vector[i].iov_len == 0) continue;
    if ((long)vector[i].iov_len < 0) return total ? total : -EINVAL;
    long done = writing ? writeAt(file, vector[i].iov_base, vector[i].iov_len, at)
                        : readFile(file, vector[i].iov_base, vector[i].iov_len, at);
    if (done < 0) return total ? total : done;
    total += done;
    if ((usize)done < vector[i].iov_len) break;
    /* What would wait for more must not when there is something to return. */
    if (!writing && __fathom_inodes[file->inode].kind == kPipe &&
        __fathom_inodes[file->inode].size == 0)
      break;
  }
  if (total == 0 && count == 0 && !writing && __fathom_inodes[file->inode].kind == kDirectory)
    return -EISDIR;
  return total;
}

long __fathom_sys_readv(long fd, const struct iovec *v, long n) {
  return transferVector(fd, v, n, 0, 0, 0);
}
long __fathom_sys_writev(long fd, const struct iovec *v, long n) {
  return transferVector(fd, v, n, 1, 0, 0);
}
long __fathom_sys_preadv(long fd, const struct iovec *v, long n, long at) {
  return transferVector(fd, v, n, 0, 1, at);
}
long __fathom_sys_pwritev(long fd, const struct iovec *v, long n, long at) {
  return transferVector(fd, v, n, 1, 1, at);
}

/* ---- position and size ---- */

long __fathom_sys_lseek(long fd, long offset, long whence) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  const struct fathom_inode *node = &__fathom_inodes[file->inode];
  if ((unsigned)whence > 4) return -EINVAL;
  if (!hasOffset(file)) return -ESPIPE;
  if (node->kind == kNull || node->kind == kZero || node->kind == kFull) /* null_lseek */
    return file->offset = 0;
  if (node->kind == kRandom) /* noop_llseek */
    return file->offset;
  if (node->kind == kDirectory) {
    long moved =
        fathomSeekDirectory(file->offset, __fathom_pinned(offset, "place in a directory"), whence);
    return moved < 0 ? moved : (file->offset = moved);
  }
  long target;
  switch ((int)whence) {
  case 0: /* SEEK_SET */ target = offset; break;
  case 1: /* SEEK_CUR */ target = file->offset + offset; break;
  case 2: /* SEEK_END */ target = (long)node->size + offset; break;
  case 3: /* SEEK_DATA: everything before the end is data */
    if (offset < 0 || (usize)offset >= node->size) return -ENXIO;
    target = offset;
    break;
  case 4: /* SEEK_HOLE */
    if (offset < 0 || (usize)offset >= node->size) return -ENXIO;
    target = (long)node->size;
    break;
  default: return -EINVAL;
  }
  if (target < 0) return -EINVAL;
  return file->offset = concreteOffset(file->inode, target);
}

static long resizeTo(int inode, long length) {
  length = __fathom_pinned(length, "new size of a file");
  if ((usize)length > MAX_OFFSET) return -EFBIG;
  long status = __fathom_resize(inode, (usize)length);
  if (status == 0) {
    dropSetId(inode);
    __fathom_touch(inode, 0, 1, 1);
  }
  return status;
}

long __fathom_sys_truncate(const char *path, long length) {
  struct fathom_found found;
  if (length < 0) return -EINVAL;
  long status = __fathom_lookupUser(AT_FDCWD, path, kFollow, 0, &found);
  if (status < 0) return status;
  if (__fathom_inodes[found.inode].kind == kDirectory) return -EISDIR;
  if (__fathom_fileType(found.inode) != S_IFREG) return -EINVAL;
  if (!__fathom_allowed(found.inode, 2)) return -EACCES;
  return __fathom_readOnly(found.inode) ? -EROFS : resizeTo(found.inode, length);
}

long __fathom_sys_ftruncate(long fd, long length) {
  if (length < 0) return -EINVAL;
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  if ((file->flags & O_ACCMODE) == O_RDONLY || __fathom_fileType(file->inode) != S_IFREG)
    return -EINVAL;
  return resizeTo(file->inode, length);
}

long __fathom_sys_fallocate(long fd, long mode, long offset, long length) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  if (offset < 0 || length <= 0) return -EINVAL;
  if ((file->flags & O_ACCMODE) == O_RDONLY) return -EBADF;
  byte kind = __fathom_inodes[file->inode].kind;
  if (kind == kPipe) return -ESPIPE;
  if (kind != kRegular && kind != kStream) return -ENODEV;
  if (mode & ~FALLOC_FL_KEEP_SIZE) {
    __fathom_ledger("environment", "fallocate that changes contents is not modelled: EOPNOTSUPP");
    return -EOPNOTSUPP;
  }
  if (mode == 0 && (usize)(offset + length) > __fathom_inodes[file->inode].size)
    return resizeTo(file->inode, offset + length);
  return 0;
}

/* fsync, fdatasync, sync_file_range, posix_fadvise, readahead: nothing to do, if the descriptor
 * suits. */
long __fathom_sys_fsync(long fd) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  byte kind = __fathom_inodes[file->inode].kind;
  return kind == kRegular || kind == kStream || kind == kDirectory ? 0 : -EINVAL;
}

long __fathom_sys_sync_file_range(long fd, long offset, long length) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  if (offset < 0 || length < 0) return -EINVAL;
  return hasOffset(file) ? 0 : -ESPIPE;
}

long __fathom_sys_fadvise64(long fd, long advice) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  if (__fathom_inodes[file->inode].kind == kPipe) return -ESPIPE;
  return advice >= 0 && advice <= 5 ? 0 : -EINVAL;
}

/* ---- from file to file ---- */

/* Moves up to count bytes in pieces. Offsets point to the file's own or to the caller's. */
static long copyBytes(struct fathom_openFile *in, long *inAt, struct fathom_openFile *out,
                      long *outAt, usize count) {
  byte piece[4096];
  long total = 0;
  while (count) {
    long start = *inAt, got = readFile(in, piece, fathomMin(count, sizeof piece), inAt);
    if (got <= 0) return total ? total : got;
    long put = writeAt(out, piece, (usize)got, outAt);
    if (put < got) *inAt = start + (put > 0 ? put : 0); /* as if the rest had not been read */
    if (put < 0) return total ? total : put;
    total += put;
    count -= (usize)put;
    if (put < got) break;
  }
  return total;
}

long __fathom_sys_copy_file_range(long inFd, long *inOffset, long outFd, long *outOffset,
                                  usize count, long flags) {
  struct fathom_openFile *in = __fathom_file(inFd), *out = __fathom_file(outFd);
  if (!in || !out || ((in->flags | out->flags) & O_PATH)) return -EBADF;
  if (flags) return -EINVAL;
  byte inKind = __fathom_inodes[in->inode].kind, outKind = __fathom_inodes[out->inode].kind;
  if (inKind == kDirectory || outKind == kDirectory) return -EISDIR;
  if (__fathom_fileType(in->inode) != S_IFREG || __fathom_fileType(out->inode) != S_IFREG)
    return -EINVAL;
  if ((in->flags & O_ACCMODE) == O_WRONLY || (out->flags & O_ACCMODE) == O_RDONLY ||
      (out->flags & O_APPEND))
    return -EBADF;
  if (__fathom_deviceOf(in->inode) != __fathom_deviceOf(out->inode)) return -EXDEV;
  long *inAt = inOffset ? inOffset : &in->offset, *outAt = outOffset ? outOffset : &out->offset;
  if (*inAt < 0 || *outAt < 0) return -EOVERFLOW;
  usize available = (usize)*inAt < __fathom_inodes[in->inode].size
                        ? __fathom_inodes[in->inode].size - (usize)*inAt
                        : 0;
  count = __fathom_countUpTo(count, available, "number of bytes to copy");
  if (in->inode == out->inode && *inAt < *outAt + (long)count && *outAt < *inAt + (long)count &&
      count)
    return -EINVAL;
  return copyBytes(in, inAt, out, outAt, count);
}

long __fathom_sys_sendfile(long outFd, long inFd, long *offset, usize count) {
  struct fathom_openFile *in = __fathom_file(inFd), *out = __fathom_file(outFd);
  if (!in || (in->flags & O_ACCMODE) == O_WRONLY || (in->flags & O_PATH)) return -EBADF;
  if (offset && !hasOffset(in)) return -ESPIPE;
  if (offset && *offset < 0) return -EINVAL;
  if (!out || (out->flags & O_ACCMODE) == O_RDONLY || (out->flags & O_PATH)) return -EBADF;
  if (__fathom_fileType(in->inode) != S_IFREG || (out->flags & O_APPEND)) return -EINVAL;
  long *inAt = offset ? offset : &in->offset;
  usize available = (usize)*inAt < __fathom_inodes[in->inode].size
                        ? __fathom_inodes[in->inode].size - (usize)*inAt
                        : 0;
  count = __fathom_countUpTo(count, available, "number of bytes to send");
  return copyBytes(in, inAt, out, &out->offset, count);
}
