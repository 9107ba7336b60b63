/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is known about files: stat and its relatives, and changing it: chmod, chown, times.
 */
#include "syscalls.h"
#include <asm/stat.h>
#include <asm/statfs.h>

enum { kBlock = 4096, kUtimeNow = 0x3fffffff, kUtimeOmit = 0x3ffffffe };

/* Directories have one block, as on ext4; a pipe's size is always 0. */
static usize sizeOf(const struct fathom_inode *node) {
  if (node->kind == kDirectory && !node->host) return kBlock;
  return node->kind == kPipe || node->kind == kTty ? 0 : node->size;
}

static unsigned long blocksOf(const struct fathom_inode *node) {
  return node->kind == kRegular || node->kind == kStream || node->kind == kDirectory
             ? (sizeOf(node) + kBlock - 1) / kBlock * (kBlock / 512)
             : 0;
}

/* The program's own files are on another file system than the host's, as the scratch directory of a
 * replay is. */
unsigned __fathom_deviceOf(int inode) {
  switch (__fathom_inodes[inode].mount) {
  case kMountOwn: return 1;
  case kMountDev: return 3;
  case kMountShm: return 4;
  case kMountProc: return 5;
  default: return 2;
  }
}

/* Device numbers of the character devices, as major << 8 | minor. */
static unsigned specialDevice(const struct fathom_inode *node) {
  switch (node->kind) {
  case kNull: return 1 << 8 | 3;
  case kZero: return 1 << 8 | 5;
  case kFull: return 1 << 8 | 7;
  case kRandom: return 1 << 8 | 9;
  case kTty: return 136 << 8;
  case kNoTty: return 5 << 8;
  default: return 0;
  }
}

static long fillStat(int inode, struct stat *out) {
  const struct fathom_inode *node = &__fathom_inodes[inode];
  if (!out) return -EFAULT;
  fathomZero(out, sizeof *out);
  out->st_dev = __fathom_deviceOf(inode);
  out->st_ino = node->ino;
  out->st_nlink = node->nlink;
  out->st_mode = __fathom_fileType(inode) | node->mode;
  out->st_uid = node->uid;
  out->st_gid = node->gid;
  out->st_rdev = specialDevice(node);
  out->st_size = (long)sizeOf(node);
  out->st_blksize = kBlock;
  out->st_blocks = (long)blocksOf(node);
  out->st_atime = (unsigned long)node->atime.sec;
  out->st_atime_nsec = (unsigned long)node->atime.nsec;
  out->st_mtime = (unsigned long)node->mtime.sec;
  out->st_mtime_nsec = (unsigned long)node->mtime.nsec;
  out->st_ctime = (unsigned long)node->ctime.sec;
  out->st_ctime_nsec = (unsigned long)node->ctime.nsec;
  return 0;
}

long __fathom_sys_newfstatat(long dirfd, const char *path, void *out, long flags) {
  struct fathom_found found;
  if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT)) return -EINVAL;
  long status = __fathom_lookupUser((int)dirfd, path, flags & AT_SYMLINK_NOFOLLOW ? 0 : kFollow,
                                    (flags & AT_EMPTY_PATH) != 0, &found);
  return status < 0 ? status : fillStat(found.inode, out);
}

long __fathom_sys_fstat(long fd, void *out) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file ? fillStat(file->inode, out) : -EBADF;
}

static struct statx_timestamp stamp(struct fathom_time time) {
  struct statx_timestamp out;
  fathomZero(&out, sizeof out);
  out.tv_sec = time.sec;
  out.tv_nsec = (unsigned)time.nsec;
  return out;
}

long __fathom_sys_statx(long dirfd, const char *path, long flags, long mask, void *buffer) {
  struct fathom_found found;
  struct statx *out = buffer;
  const long known = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_SYNC_TYPE;
  if ((flags & ~known) || (mask & STATX__RESERVED) ||
      (flags & AT_STATX_SYNC_TYPE) == AT_STATX_SYNC_TYPE)
    return -EINVAL;
  long status = __fathom_lookupUser((int)dirfd, path, flags & AT_SYMLINK_NOFOLLOW ? 0 : kFollow,
                                    (flags & AT_EMPTY_PATH) != 0, &found);
  if (status < 0) return status;
  if (!out) return -EFAULT;
  const struct fathom_inode *node = &__fathom_inodes[found.inode];
  fathomZero(out, sizeof *out);
  out->stx_mask = STATX_BASIC_STATS;
  out->stx_blksize = kBlock;
  out->stx_nlink = node->nlink;
  out->stx_uid = node->uid;
  out->stx_gid = node->gid;
  out->stx_mode = (unsigned short)(__fathom_fileType(found.inode) | node->mode);
  out->stx_ino = node->ino;
  out->stx_size = sizeOf(node);
  out->stx_blocks = blocksOf(node);
  out->stx_atime = stamp(node->atime);
  out->stx_mtime = stamp(node->mtime);
  out->stx_ctime = stamp(node->ctime);
  out->stx_rdev_major = specialDevice(node) >> 8;
  out->stx_rdev_minor = specialDevice(node) & 255;
  out->stx_dev_minor = __fathom_deviceOf(found.inode);
  return 0;
}

long __fathom_sys_faccessat(long dirfd, const char *path, long mode, long flags) {
  struct fathom_found found;
  if ((mode & ~7) || (flags & ~(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))) return -EINVAL;
  long status =
      __fathom_lookupUser((int)dirfd, path, (flags & AT_SYMLINK_NOFOLLOW ? 0 : kFollow) | kKindOnly,
                          (flags & AT_EMPTY_PATH) != 0, &found);
  if (status < 0) return status;
  if (!__fathom_allowed(found.inode, (unsigned)mode)) return -EACCES;
  int special = __fathom_fileType(found.inode) == S_IFCHR;
  return (mode & 2) && !special && __fathom_readOnly(found.inode) ? -EROFS : 0;
}

/* ---- changes ---- */

static int ownsOrRoot(int inode) {
  return __fathom_uid == 0 || __fathom_inodes[inode].uid == __fathom_uid;
}

/* A host file (in /tmp, or in the working directory) that changes in anything but contents keeps
 * its contents where they are: only the model's copy of what is known about it changes, and the
 * entry stays in the table because it is marked as changed by being in use. */
static void keepChanged(int inode) {
  if (__fathom_inodes[inode].host) __fathom_keep(inode);
}

static long changeMode(int inode, long mode) {
  if (__fathom_readOnly(inode)) return -EROFS;
  if (__fathom_inodes[inode].kind == kLink) return -EOPNOTSUPP;
  if (!ownsOrRoot(inode)) return -EPERM;
  keepChanged(inode);
  __fathom_inodes[inode].mode = (unsigned)mode & 07777;
  __fathom_touch(inode, 0, 0, 1);
  return 0;
}

long __fathom_sys_fchmodat(long dirfd, const char *path, long mode) {
  struct fathom_found found;
  long status = __fathom_lookupUser((int)dirfd, path, kFollow, 0, &found);
  return status < 0 ? status : changeMode(found.inode, mode);
}

long __fathom_sys_fchmod(long fd, long mode) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file && !(file->flags & O_PATH) ? changeMode(file->inode, mode) : -EBADF;
}

static long changeOwner(int inode, unsigned uid, unsigned gid) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (__fathom_readOnly(inode)) return -EROFS;
  int newUid = uid != -1u && uid != node->uid, newGid = gid != -1u && gid != node->gid;
  if (__fathom_uid != 0 && (newUid || (newGid && gid != __fathom_gid) || !ownsOrRoot(inode)))
    return -EPERM;
  keepChanged(inode);
  if (uid != -1u) node->uid = uid;
  if (gid != -1u) node->gid = gid;
  if (node->kind != kDirectory && node->kind != kLink) { /* set-id bits do not survive */
    node->mode &= ~(unsigned)S_ISUID;
    if (node->mode & S_IXGRP) node->mode &= ~(unsigned)S_ISGID;
  }
  __fathom_touch(inode, 0, 0, 1);
  return 0;
}

long __fathom_sys_fchownat(long dirfd, const char *path, long uid, long gid, long flags) {
  struct fathom_found found;
  if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) return -EINVAL;
  long status = __fathom_lookupUser((int)dirfd, path, flags & AT_SYMLINK_NOFOLLOW ? 0 : kFollow,
                                    (flags & AT_EMPTY_PATH) != 0, &found);
  return status < 0 ? status : changeOwner(found.inode, (unsigned)uid, (unsigned)gid);
}

long __fathom_sys_fchown(long fd, long uid, long gid) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file && !(file->flags & O_PATH) ? changeOwner(file->inode, (unsigned)uid, (unsigned)gid)
                                         : -EBADF;
}

static long setTimes(int inode, const struct fathom_time *times) {
  struct fathom_time now = __fathom_clock, both[2] = {now, now};
  struct fathom_inode *node = &__fathom_inodes[inode];
  int explicitTime = 0;
  for (int i = 0; times && i < 2; i++) {
    both[i] = times[i];
    if (times[i].nsec == kUtimeNow)
      both[i] = now;
    else if (times[i].nsec != kUtimeOmit) {
      if (times[i].nsec < 0 || times[i].nsec > 999999999) return -EINVAL;
      explicitTime = 1;
    }
  }
  if (__fathom_readOnly(inode)) return -EROFS;
  if (!ownsOrRoot(inode) && (explicitTime || !__fathom_allowed(inode, 2)))
    return explicitTime ? -EPERM : -EACCES;
  keepChanged(inode);
  if (both[0].nsec != kUtimeOmit) node->atime = both[0];
  if (both[1].nsec != kUtimeOmit) node->mtime = both[1];
  node->ctime = now;
  return 0;
}

long __fathom_sys_utimensat(long dirfd, const char *path, const struct fathom_time *times,
                            long flags) {
  struct fathom_found found;
  if (times && times[0].nsec == kUtimeOmit && times[1].nsec == kUtimeOmit)
    return 0; /* nothing to do: not even the path is looked at */
  if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) return -EINVAL;
  if (!path) {
    struct fathom_openFile *file = __fathom_file(dirfd);
    if (flags) return -EINVAL;
    return file && !(file->flags & O_PATH) ? setTimes(file->inode, times) : -EBADF;
  }
  long status = __fathom_lookupUser((int)dirfd, path, flags & AT_SYMLINK_NOFOLLOW ? 0 : kFollow,
                                    (flags & AT_EMPTY_PATH) != 0, &found);
  return status < 0 ? status : setTimes(found.inode, times);
}

/* utime (seconds) and utimes, futimesat (microseconds) in terms of the above. */
long __fathom_sys_utimes(long dirfd, const char *path, const long *values, int microseconds) {
  struct fathom_time times[2];
  if (!values) return __fathom_sys_utimensat(dirfd, path, 0, 0);
  for (int i = 0; i < 2; i++) {
    times[i].sec = microseconds ? values[2 * i] : values[i];
    times[i].nsec = microseconds ? values[2 * i + 1] * 1000 : 0;
    if (microseconds && (values[2 * i + 1] < 0 || values[2 * i + 1] >= 1000000)) return -EINVAL;
  }
  return __fathom_sys_utimensat(dirfd, path, times, 0);
}

/* ---- file systems ---- */

static long fillStatfs(int inode, struct statfs *out) {
  if (!out) return -EFAULT;
  __fathom_describeFileSystem(out, __fathom_readOnly(inode));
  return 0;
}

long __fathom_sys_statfs(const char *path, void *out) {
  struct fathom_found found;
  long status = __fathom_lookupUser(AT_FDCWD, path, kFollow, 0, &found);
  return status < 0 ? status : fillStatfs(found.inode, out);
}

long __fathom_sys_fstatfs(long fd, void *out) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file ? fillStatfs(file->inode, out) : -EBADF;
}
