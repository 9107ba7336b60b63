/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Directory entries. An entry never moves in the table, so its index is a stable position for
 * getdents64 while the program creates and removes files.
 */
#include "state.h"

struct fathom_entry __fathom_entries[kMaxEntries];
int __fathom_entryCount;

/* One comparison result for the whole name: the bytes may be symbolic. */
static int sameName(const char *a, const char *b, usize length) {
  byte difference = 0;
  for (usize i = 0; i < length; i++) difference |= (byte)(a[i] ^ b[i]);
  return difference == 0;
}

int __fathom_findEntry(int directory, const char *name, usize length) {
  for (int i = 0; i < __fathom_entryCount; i++) {
    const struct fathom_entry *entry = &__fathom_entries[i];
    if (entry->used && entry->directory == directory && entry->length == length &&
        sameName(entry->name, name, length))
      return i;
  }
  return FATHOM_NONE;
}

int __fathom_entryOf(int directory, int inode) {
  for (int i = 0; i < __fathom_entryCount; i++) {
    const struct fathom_entry *entry = &__fathom_entries[i];
    if (entry->used && entry->directory == directory && entry->inode == inode) return i;
  }
  return FATHOM_NONE;
}

/* The first free slot from the first unused one on: slots that were freed are used again only when
 * the table is full, so that a listing under way does not show a new name in an old place. */
static int freeSlot(void) {
  if (__fathom_entryCount < kMaxEntries) return __fathom_entryCount++;
  for (int i = 0; i < kMaxEntries; i++)
    if (!__fathom_entries[i].used) return i;
  __fathom_ledger("environment", "more directory entries than the model has room for: ENOSPC");
  return FATHOM_NONE;
}

static int isNamed(const char *name, usize length, const char *expected) {
  return length == fathomLength(expected) && sameName(name, expected, length);
}

/* Where a file called name in this directory is mounted: with the directory, but for the host's
 * folders for temporary files. (Names below the host's root are concrete: no path can add one.) */
byte __fathom_mountFor(int directory, const char *name, usize length) {
  const struct fathom_inode *parent = &__fathom_inodes[directory];
  if (parent->mount != kMountHost || !isNamed(name, length, "tmp")) return parent->mount;
  if (directory == __fathom_rootInode) return kMountTmp;
  if (parent->entry == FATHOM_NONE) return kMountHost;
  const struct fathom_entry *entry = &__fathom_entries[parent->entry];
  int isVar = entry->directory == __fathom_rootInode && isNamed(entry->name, entry->length, "var");
  return isVar ? kMountVarTmp : kMountHost;
}

int __fathom_addEntry(int directory, const char *name, usize length, int inode) {
  if (length > kMaxName) return -ENAMETOOLONG;
  int index =
      __fathom_inodes[directory].host ? __fathom_findEntry(directory, name, length) : FATHOM_NONE;
  const int isMark = index != FATHOM_NONE; /* of a removed host file of this name */
  if (!isMark) index = freeSlot();
  if (index == FATHOM_NONE) return -ENOSPC;
  struct fathom_entry *entry = &__fathom_entries[index];
  entry->used = 1;
  entry->directory = (short)directory;
  entry->inode = (short)inode;
  if (!isMark) entry->onHost = 0;
  entry->length = (byte)length;
  fathomCopy(entry->name, name, length);
  if (inode == FATHOM_NONE) return 0;
  struct fathom_inode *node = &__fathom_inodes[inode], *parent = &__fathom_inodes[directory];
  if (!node->names && !node->host &&
      (parent->mode & S_ISGID)) { /* new in a set-group-id directory */
    node->gid = parent->gid;
    node->mode |= node->kind == kDirectory ? S_ISGID : 0;
  }
  if (!node->names) node->mount = __fathom_mountFor(directory, name, length);
  node->names++;
  if (node->kind == kDirectory) {
    node->parent = directory;
    __fathom_inodes[directory].nlink++;
  }
  return 0;
}

void __fathom_removeEntry(int index) {
  struct fathom_entry *entry = &__fathom_entries[index];
  int inode = entry->inode;
  if (__fathom_inodes[entry->directory].host)
    entry->inode = FATHOM_NONE; /* the host's file must not come back */
  else
    entry->used = 0;
  if (inode == FATHOM_NONE) return;
  struct fathom_inode *node = &__fathom_inodes[inode];
  node->names--;
  if (node->kind == kDirectory) __fathom_inodes[entry->directory].nlink--;
  __fathom_dropIfUnused(inode);
}

int __fathom_importHost(int directory, const char *name, usize length) {
  char path[PATH_MAX];
  struct fathom_host_stat info;
  if (!__fathom_inodes[directory].host ||
      __fathom_hostPath(directory, name, length, path, sizeof path) < 0)
    return FATHOM_NONE;
  fathomZero(&info, sizeof info);
  if (__fathom_host_stat(path, 0, &info) < 0) return FATHOM_NONE;
  enum fathom_kind kind;
  switch (info.mode & S_IFMT) {
  case S_IFREG: kind = kRegular; break;
  case S_IFDIR: kind = kDirectory; break;
  case S_IFLNK: kind = kLink; break;
  default:
    __fathom_ledger("environment",
                    "a device, socket or named pipe of the host is not modelled: ENOENT");
    return FATHOM_NONE;
  }
  int inode = __fathom_newInode(kind, info.mode & 07777);
  if (inode == FATHOM_NONE) return FATHOM_NONE;
  struct fathom_inode *node = &__fathom_inodes[inode];
  node->host = 1;
  if (__fathom_addEntry(directory, name, length, inode) < 0) {
    __fathom_dropIfUnused(inode);
    return FATHOM_NONE;
  }
  if (kind == kDirectory) __fathom_inodes[directory].nlink--; /* already in the host's count */
  node->uid = (unsigned)info.uid;
  node->gid = (unsigned)info.gid;
  node->nlink = (unsigned)info.nlink;
  node->ino = info.ino;
  node->size = info.size;
  node->entry = __fathom_findEntry(directory, name, length);
  __fathom_entries[node->entry].onHost = 1;
  node->atime.sec = node->mtime.sec = node->ctime.sec = (long)info.mtime_sec;
  node->atime.nsec = node->mtime.nsec = node->ctime.nsec = 0;
  return node->entry;
}

int __fathom_isEmptyDirectory(int directory) {
  for (int i = 0; i < __fathom_entryCount; i++) {
    const struct fathom_entry *entry = &__fathom_entries[i];
    if (entry->used && entry->directory == directory && entry->inode != FATHOM_NONE) return 0;
  }
  if (!__fathom_inodes[directory].host) return 1;
  char path[PATH_MAX], name[kMaxName + 1];
  if (__fathom_hostPath(directory, 0, 0, path, sizeof path) < 0) return 0;
  for (usize i = 0;; i++) {
    long length = __fathom_host_dirent(path, i, name, sizeof name);
    if (length <= 0) return 1;
    if (__fathom_findEntry(directory, name, (usize)length) == FATHOM_NONE) return 0;
  }
}
