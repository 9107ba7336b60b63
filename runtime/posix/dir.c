/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Directories and names: listing, the working directory, mkdir, unlink, rename, links.
 */
#include "syscalls.h"

/* What getdents64 writes (the kernel's struct linux_dirent64, which no uapi header has). */
struct directoryRecord {
  unsigned long ino;
  long next;
  unsigned short length;
  byte type;
  char name[];
};

/* Positions in a listing: ".", "..", the entries by index, then what only the host has by its
 * number. */
enum { kEntriesAt = 2, kHostAt = 1 << 20 };

struct listing {
  byte *buffer;
  usize used, size;
};

/* Appends one record; 0 if it does not fit. */
static int addRecord(struct listing *out, int inode, unsigned long ino, unsigned type,
                     const char *name, usize length, long next) {
  usize need =
      (sizeof(struct directoryRecord) - 5 + length + 1 + 7) & ~7ul; /* name starts at offset 19 */
  if (out->used + need > out->size) return 0;
  struct directoryRecord *record = (struct directoryRecord *)(out->buffer + out->used);
  fathomZero(record, need);
  record->ino = inode == FATHOM_NONE ? ino : __fathom_inodes[inode].ino;
  record->next = next;
  record->length = (unsigned short)need;
  record->type = (byte)((inode == FATHOM_NONE ? type : __fathom_fileType(inode)) >> 12);
  fathomCopy((byte *)record + 19, name, length);
  out->used += need;
  return 1;
}

/* The part of a listing that only the host knows. */
static void listHost(int directory, long *position, struct listing *out) {
  char path[PATH_MAX], name[kMaxName + 1];
  long used = __fathom_hostPath(directory, 0, 0, path, sizeof path);
  for (; used >= 0; ++*position) {
    long length = __fathom_host_dirent(path, (usize)(*position - kHostAt), name, sizeof name);
    if (length <= 0) return;
    int entry = __fathom_findEntry(directory, name, (usize)length);
    if (entry != FATHOM_NONE) {
      int inode = __fathom_entries[entry].inode;
      if (inode == FATHOM_NONE || !__fathom_entries[entry].onHost)
        continue; /* removed, or listed as an entry */
      if (!addRecord(out, inode, 0, 0, name, (usize)length, *position + 1)) return;
      continue;
    }
    struct fathom_host_stat info;
    char full[PATH_MAX];
    fathomZero(&info, sizeof info);
    if (__fathom_hostPath(directory, name, (usize)length, full, sizeof full) < 0 ||
        __fathom_host_stat(full, 0, &info) < 0)
      continue;
    if (!addRecord(out, FATHOM_NONE, info.ino, (unsigned)info.mode & S_IFMT, name, (usize)length,
                   *position + 1))
      return;
  }
}

static void listEntries(int directory, long *position, struct listing *out) {
  /* What the host has, too, is listed in its place there: as on replay. */
  for (; *position - kEntriesAt < __fathom_entryCount; ++*position) {
    const struct fathom_entry *entry = &__fathom_entries[*position - kEntriesAt];
    if (!entry->used || entry->directory != directory || entry->inode == FATHOM_NONE) continue;
    if (entry->onHost) continue;
    if (!addRecord(out, entry->inode, 0, 0, entry->name, entry->length, *position + 1)) return;
  }
  *position = kHostAt;
}

long __fathom_sys_getdents64(long fd, void *buffer, usize size) {
  struct fathom_openFile *file = __fathom_file(fd);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  const struct fathom_inode *node = &__fathom_inodes[file->inode];
  if (node->kind != kDirectory) return -ENOTDIR;
  if (!buffer) return -EFAULT;
  if (node->names == 0 && !node->hostPrefix && file->inode != __fathom_rootInode)
    return -ENOENT; /* removed */
  struct listing out = {buffer, 0,
                        (unsigned)__fathom_countFrom(buffer, size, 1 << 20, "size of a listing")};
  long position = file->offset;
  if (position == 0 && addRecord(&out, file->inode, 0, 0, ".", 1, 1)) position = 1;
  if (position == 1 && addRecord(&out, node->parent, 0, 0, "..", 2, kEntriesAt))
    position = kEntriesAt;
  if (position >= kEntriesAt && position < kHostAt) listEntries(file->inode, &position, &out);
  int exhausted = position >= kHostAt;
  if (exhausted && node->host) {
    listHost(file->inode, &position, &out);
    exhausted = out.used == 0;
    char path[PATH_MAX], name[kMaxName + 1];
    if (exhausted && __fathom_hostPath(file->inode, 0, 0, path, sizeof path) >= 0)
      exhausted = __fathom_host_dirent(path, (usize)(position - kHostAt), name, sizeof name) <= 0;
  }
  file->offset = position;
  return out.used || exhausted ? (long)out.used : -EINVAL; /* not even one record fits */
}

/* ---- the working directory ---- */

long __fathom_sys_getcwd(char *buffer, usize size) {
  char text[PATH_MAX];
  usize start = sizeof text - 1;
  text[start] = 0;
  if (__fathom_inodes[__fathom_cwdInode].names == 0 && __fathom_cwdInode != __fathom_rootInode)
    return -ENOENT;
  for (int at = __fathom_cwdInode; at != __fathom_rootInode;) {
    int parent = __fathom_inodes[at].parent;
    const struct fathom_entry *entry = &__fathom_entries[__fathom_entryOf(parent, at)];
    if (start < (usize)entry->length + 1) return -ENAMETOOLONG;
    start -= entry->length;
    fathomCopy(text + start, entry->name, entry->length);
    text[--start] = '/';
    at = parent;
  }
  if (start == sizeof text - 1) text[--start] = '/';
  usize need = sizeof text - start;
  if (size < need) /* forks where the size is symbolic */
    return -ERANGE;
  if (!buffer) return -EFAULT;
  fathomCopy(buffer, text + start, need);
  return (long)need;
}

static long enter(int inode) {
  if (__fathom_inodes[inode].kind != kDirectory) return -ENOTDIR;
  if (!__fathom_allowed(inode, 1)) return -EACCES;
  __fathom_keep(inode);
  int old = __fathom_cwdInode;
  __fathom_cwdInode = inode;
  __fathom_release(old);
  return 0;
}

long __fathom_sys_chdir(const char *path) {
  struct fathom_found found;
  long status = __fathom_lookupUser(AT_FDCWD, path, kFollow, 0, &found);
  return status < 0 ? status : enter(found.inode);
}

long __fathom_sys_fchdir(long fd) {
  struct fathom_openFile *file = __fathom_file(fd);
  return file ? enter(file->inode) : -EBADF;
}

static byte mountOf(int inode) { return __fathom_inodes[inode].mount; }

/* Does another file system begin in this name? Such a name stays. */
static int isMountPoint(const struct fathom_found *found) {
  return mountOf(found->inode) != mountOf(found->directory);
}

/* ---- creating names ---- */

/* Looks up the place for a new name. */
static long findPlace(long dirfd, const char *path, int directory, struct fathom_found *found) {
  long status = __fathom_lookupUser((int)dirfd, path, kParent, 0, found);
  if (status < 0) return status;
  if (found->inode != FATHOM_NONE) return -EEXIST;
  if (found->nameLength > kMaxName) return -ENAMETOOLONG;
  if (found->slash && !directory) return -ENOENT;
  return __fathom_inodes[found->directory].fdListing ? -ENOENT : 0;
}

static long findNew(long dirfd, const char *path, int directory, struct fathom_found *found) {
  long status = findPlace(dirfd, path, directory, found);
  return status < 0 ? status : __fathom_directoryWritable(found->directory);
}

static long enterNew(const struct fathom_found *found, int inode) {
  if (inode == FATHOM_NONE) return -ENOSPC;
  long status = __fathom_addEntry(found->directory, found->name, found->nameLength, inode);
  if (status < 0)
    __fathom_dropIfUnused(inode);
  else
    __fathom_touch(found->directory, 0, 1, 1);
  return status;
}

long __fathom_sys_mkdirat(long dirfd, const char *path, long mode) {
  struct fathom_found found;
  long status = findNew(dirfd, path, 1, &found);
  if (status < 0) return status;
  return enterNew(&found, __fathom_newInode(kDirectory, (unsigned)mode & ~__fathom_umask & 01777));
}

long __fathom_sys_symlinkat(const char *target, long dirfd, const char *path) {
  struct fathom_path text;
  struct fathom_found found;
  long status = __fathom_getPath(target, &text);
  if (status < 0) return status;
  /* A target with symbolic bytes: its length is decided here, once, instead of at every later use.
   */
  usize length = 0;
  while (text.text[length]) length++;
  if (length == 0) return -ENOENT;
  status = findNew(dirfd, path, 0, &found);
  if (status < 0) return status;
  int inode = __fathom_newInode(kLink, 0777);
  status = enterNew(&found, inode);
  if (status == 0) status = __fathom_writeData(inode, 0, text.text, length);
  return status < 0 ? status : 0;
}

long __fathom_sys_mknodat(long dirfd, const char *path, long mode) {
  struct fathom_found found;
  unsigned type = (unsigned)mode & S_IFMT;
  if (type != 0 && type != S_IFREG) {
    __fathom_ledger("environment",
                    "mknod of a device, socket or named pipe is not modelled: EPERM");
    return -EPERM;
  }
  long status = findNew(dirfd, path, 0, &found);
  if (status < 0) return status;
  return enterNew(&found, __fathom_newInode(kRegular, (unsigned)mode & ~__fathom_umask & 07777));
}

/* Only its owner may link to a file that the caller could not write (fs.protected_hardlinks, on in
 * Debian). */
static int linkForbidden(int inode) {
  const struct fathom_inode *node = &__fathom_inodes[inode];
  int special = node->kind != kRegular || (node->mode & S_ISUID) ||
                (node->mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
  return __fathom_uid != 0 && node->uid != __fathom_uid && (special || !__fathom_allowed(inode, 6));
}

long __fathom_sys_linkat(long fromFd, const char *from, long toFd, const char *to, long flags) {
  struct fathom_found source, found;
  if (flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) return -EINVAL;
  long status = __fathom_lookupUser((int)fromFd, from, flags & AT_SYMLINK_FOLLOW ? kFollow : 0,
                                    (flags & AT_EMPTY_PATH) != 0, &source);
  if (status < 0) return status;
  status = findPlace(toFd, to, 0, &found);
  if (status < 0) return status;
  if (__fathom_readOnly(found.directory)) return -EROFS;
  if (mountOf(source.inode) != mountOf(found.directory)) return -EXDEV;
  if (linkForbidden(source.inode)) return -EPERM;
  status = __fathom_directoryWritable(found.directory);
  if (status < 0) return status;
  struct fathom_inode *node = &__fathom_inodes[source.inode];
  if (node->kind == kDirectory) return -EPERM;
  if (node->nlink == 0) return -ENOENT;
  status = __fathom_materialize(source.inode);
  if (status == 0) status = enterNew(&found, source.inode);
  if (status == 0) {
    node->nlink++;
    __fathom_touch(source.inode, 0, 0, 1);
  }
  return status;
}

/* ---- removing names ---- */

static long missing(const struct fathom_found *found) {
  return found->nameLength > kMaxName ? -ENAMETOOLONG : -ENOENT;
}

/* Takes the name away; an open file of the host keeps its contents in memory. */
static long removeName(const struct fathom_found *found) {
  struct fathom_inode *node = &__fathom_inodes[found->inode];
  if (node->host && node->opens) {
    long status = __fathom_materialize(found->inode);
    if (status < 0) return status;
  }
  if (node->kind == kDirectory)
    node->nlink = 0;
  else if (node->nlink)
    node->nlink--;
  __fathom_touch(found->inode, 0, 0, 1);
  __fathom_touch(found->directory, 0, 1, 1);
  __fathom_removeEntry(found->entry);
  return 0;
}

/* In a sticky directory only the owner may remove. */
static int stickyForbids(int directory, int inode) {
  const struct fathom_inode *parent = &__fathom_inodes[directory];
  return (parent->mode & 01000) && __fathom_uid != 0 && parent->uid != __fathom_uid &&
         __fathom_inodes[inode].uid != __fathom_uid;
}

static long mayRemove(const struct fathom_found *found) {
  long status = __fathom_directoryWritable(found->directory);
  if (status < 0) return status;
  return stickyForbids(found->directory, found->inode) ? -EPERM : 0;
}

static long unlinkName(long dirfd, const char *path) {
  struct fathom_found found;
  long status = __fathom_lookupUser((int)dirfd, path, kParent, 0, &found);
  if (status < 0) return status;
  if (found.last != kLastNormal) return -EISDIR;
  if (__fathom_readOnly(found.directory)) return -EROFS; /* whether the name is there or not */
  if (found.inode == FATHOM_NONE) return missing(&found);
  if (found.slash) return __fathom_inodes[found.inode].kind == kDirectory ? -EISDIR : -ENOTDIR;
  status = mayRemove(&found);
  if (status < 0) return status;
  return __fathom_inodes[found.inode].kind == kDirectory ? -EISDIR : removeName(&found);
}

static long removeDirectory(long dirfd, const char *path) {
  struct fathom_found found;
  long status = __fathom_lookupUser((int)dirfd, path, kParent, 0, &found);
  if (status < 0) return status;
  switch (found.last) {
  case kLastDot: return -EINVAL;
  case kLastDotDot: return -ENOTEMPTY;
  case kLastRoot: return -EBUSY;
  default: break;
  }
  if (__fathom_readOnly(found.directory)) return -EROFS;
  if (found.inode == FATHOM_NONE) return missing(&found);
  status = mayRemove(&found);
  if (status < 0) return status;
  if (__fathom_inodes[found.inode].kind != kDirectory) return -ENOTDIR;
  if (isMountPoint(&found)) return -EBUSY;
  if (!__fathom_isEmptyDirectory(found.inode)) return -ENOTEMPTY;
  return removeName(&found);
}

long __fathom_sys_unlinkat(long dirfd, const char *path, long flags) {
  if (flags & ~AT_REMOVEDIR) return -EINVAL;
  return flags & AT_REMOVEDIR ? removeDirectory(dirfd, path) : unlinkName(dirfd, path);
}

/* ---- rename ---- */

static int isInside(int directory, int ancestor) {
  for (; directory != __fathom_rootInode; directory = __fathom_inodes[directory].parent)
    if (directory == ancestor) return 1;
  return 0;
}

/* May the file that has the new name be replaced? */
static long mayReplace(const struct fathom_found *from, const struct fathom_found *to) {
  int isDirectory = __fathom_inodes[from->inode].kind == kDirectory;
  if (stickyForbids(to->directory, to->inode)) return -EPERM;
  if (isDirectory && __fathom_inodes[to->inode].kind != kDirectory) return -ENOTDIR;
  if (!isDirectory && __fathom_inodes[to->inode].kind == kDirectory) return -EISDIR;
  return isDirectory && !__fathom_isEmptyDirectory(to->inode) ? -ENOTEMPTY : 0;
}

/* A host file leaves its place: its contents come into memory. Whole directories of the host stay.
 */
static long prepareMove(int inode) {
  if (__fathom_inodes[inode].host && __fathom_inodes[inode].kind == kDirectory) {
    __fathom_ledger("environment", "renaming a directory of the host is not modelled: EXDEV");
    return -EXDEV;
  }
  return __fathom_materialize(inode);
}

static void putInto(const struct fathom_found *place, int inode) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  __fathom_entries[place->entry].inode = (short)inode;
  if (node->kind == kDirectory) {
    __fathom_inodes[node->parent].nlink--;
    node->parent = place->directory;
    __fathom_inodes[node->parent].nlink++;
  }
}

static long swapNames(struct fathom_found *from, struct fathom_found *to) {
  long status = prepareMove(from->inode);
  if (status == 0) status = prepareMove(to->inode);
  if (status == 0) {
    putInto(from, to->inode);
    putInto(to, from->inode);
  }
  return status;
}

static long moveName(struct fathom_found *from, struct fathom_found *to) {
  long status = prepareMove(from->inode);
  if (status < 0) return status;
  if (to->inode != FATHOM_NONE) {
    status = removeName(to);
    if (status < 0) return status;
  }
  status = __fathom_addEntry(to->directory, to->name, to->nameLength, from->inode);
  if (status < 0) return status;
  __fathom_removeEntry(from->entry);
  __fathom_touch(from->inode, 0, 0, 1);
  __fathom_touch(from->directory, 0, 1, 1);
  __fathom_touch(to->directory, 0, 1, 1);
  return 0;
}

enum { kRenameNoReplace = 1, kRenameExchange = 2 };

long __fathom_sys_renameat2(long fromFd, const char *fromPath, long toFd, const char *toPath,
                            long flags) {
  struct fathom_found from, to;
  if ((flags & ~(kRenameNoReplace | kRenameExchange)) ||
      flags == (kRenameNoReplace | kRenameExchange))
    return -EINVAL;
  long status = __fathom_lookupUser((int)fromFd, fromPath, kParent, 0, &from);
  if (status < 0) return status;
  status = __fathom_lookupUser((int)toFd, toPath, kParent, 0, &to);
  if (status < 0) return status;
  if (mountOf(from.directory) != mountOf(to.directory)) return -EXDEV;
  if (from.last != kLastNormal) return -EBUSY;
  if (to.last != kLastNormal) return flags & kRenameNoReplace ? -EEXIST : -EBUSY;
  if (__fathom_readOnly(from.directory)) return -EROFS;
  if (from.inode == FATHOM_NONE) return missing(&from);
  if (to.inode == FATHOM_NONE && (to.nameLength > kMaxName || (flags & kRenameExchange)))
    return missing(&to);
  if ((flags & kRenameNoReplace) && to.inode != FATHOM_NONE) return -EEXIST;
  int isDirectory = __fathom_inodes[from.inode].kind == kDirectory;
  if ((flags & kRenameExchange) && to.slash && __fathom_inodes[to.inode].kind != kDirectory)
    return -ENOTDIR;
  if (!isDirectory && (from.slash || (to.slash && !(flags & kRenameExchange)))) return -ENOTDIR;
  if (isDirectory && isInside(to.directory, from.inode)) return -EINVAL;
  if (to.inode != FATHOM_NONE && isInside(from.directory, to.inode))
    return flags & kRenameExchange ? -EINVAL : -ENOTEMPTY;
  if (from.inode == to.inode) /* two names of one file: nothing happens */
    return 0;
  status = mayRemove(&from);
  if (status == 0) status = __fathom_directoryWritable(to.directory);
  if (status < 0) return status;
  if (isMountPoint(&from) || (to.inode != FATHOM_NONE && isMountPoint(&to))) return -EBUSY;
  if (flags & kRenameExchange) return swapNames(&from, &to);
  if (to.inode != FATHOM_NONE) status = mayReplace(&from, &to);
  return status < 0 ? status : moveName(&from, &to);
}

/* ---- reading a symbolic link ---- */

long __fathom_sys_readlinkat(long dirfd, const char *path, char *buffer, long size) {
  struct fathom_found found;
  size = (int)size;
  if (size <= 0) return -EINVAL;
  long status = __fathom_lookupUser((int)dirfd, path, 0, 1, &found);
  if (status < 0) return status;
  struct fathom_inode *node = &__fathom_inodes[found.inode];
  if (node->kind != kLink)
    return found.last == kLastDot && found.directory == FATHOM_NONE ? -ENOENT /* empty path */
                                                                    : -EINVAL;
  if (!buffer) return -EFAULT;
  if (!node->host) return __fathom_readData(found.inode, 0, buffer, (usize)size);
  char host[PATH_MAX];
  long length = __fathom_hostPath(found.inode, 0, 0, host, sizeof host);
  if (length < 0) return length;
  return __fathom_host_readlink(
      host, buffer, __fathom_countFrom(buffer, (usize)size, PATH_MAX, "size of a link"));
}
