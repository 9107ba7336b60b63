/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Inodes: contents, permissions, and where contents come from (memory, or a real file until the
 * first change).
 */
#include "state.h"

struct fathom_inode __fathom_inodes[kMaxInodes];
static int inodeCount; /* inodes at and above it have never been used */
static unsigned long nextNumber =
    1000; /* what the program sees as inode number: never used twice */

/* Makes room by forgetting a real file that is not in use: it is found again by its path. */
static int evictHostInode(void) {
  for (int i = 0; i < inodeCount; i++) {
    struct fathom_inode *node = &__fathom_inodes[i];
    if (node->kind == kFree || node->kind == kDirectory || !node->host || node->opens ||
        node->entry < 0)
      continue;
    __fathom_entries[node->entry].used = 0;
    node->kind = kFree;
    return i;
  }
  return FATHOM_NONE;
}

int __fathom_newInode(enum fathom_kind kind, unsigned mode) {
  int index = 0;
  while (index < inodeCount && __fathom_inodes[index].kind != kFree) index++;
  if (index == kMaxInodes) index = evictHostInode();
  if (index == FATHOM_NONE) {
    __fathom_ledger("environment", "more files than the model has room for: ENOSPC");
    return FATHOM_NONE;
  }
  if (index == inodeCount) inodeCount++;
  struct fathom_inode *node = &__fathom_inodes[index];
  fathomZero(node, sizeof *node);
  node->kind = (byte)kind;
  node->mode = mode;
  node->uid = __fathom_uid;
  node->gid = __fathom_gid;
  node->nlink = kind == kDirectory ? 2 : 1;
  node->entry = node->parent = FATHOM_NONE;
  node->ino = nextNumber++;
  node->atime = node->mtime = node->ctime = __fathom_clock;
  return index;
}

void __fathom_keep(int inode) { __fathom_inodes[inode].opens++; }

void __fathom_dropIfUnused(int inode) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (node->names || node->opens || node->hostPrefix) return;
  if (node->mapped) __fathom_unmap(node->data, node->capacity);
  node->kind = kFree;
  node->mapped = 0;
  node->data = 0;
  node->capacity = 0;
}

void __fathom_release(int inode) {
  __fathom_inodes[inode].opens--;
  __fathom_dropIfUnused(inode);
}

long __fathom_reserve(struct fathom_inode *node, usize size) {
  if (size <= node->capacity) return 0;
  if (size > FATHOM_MAX_FILE_BYTES) {
    __fathom_ledger("environment", "a file grew beyond what the model keeps in memory: ENOSPC");
    return -ENOSPC;
  }
  usize capacity = node->capacity < 2048 ? 4096 : (node->capacity * 2 + 4095) & ~4095ul;
  while (capacity < size) capacity *= 2;
  byte *data = __fathom_alloc(capacity, "file"); /* not among what the program maps */
  if (!data) return -ENOSPC;
  fathomCopy(data, node->data, fathomMin(node->capacity, node->size));
  if (node->mapped) __fathom_unmap(node->data, node->capacity);
  node->mapped = 1;
  node->data = data;
  node->capacity = capacity;
  return 0;
}

long __fathom_hostPath(int inode, const char *name, usize length, char *out, usize size) {
  usize used = 0;
  const struct fathom_inode *node = &__fathom_inodes[inode];
  if (node->hostPrefix) {
    used = fathomLength(node->hostPrefix);
    if (used + length + 2 > size) return -ENAMETOOLONG;
    fathomCopy(out, node->hostPrefix, used);
  } else {
    const struct fathom_entry *entry = &__fathom_entries[node->entry];
    long done = __fathom_hostPath(entry->directory, entry->name, entry->length, out, size);
    if (done < 0) return done;
    used = (usize)done;
  }
  if (name) {
    if (used + length + 2 > size) return -ENAMETOOLONG;
    out[used++] = '/';
    fathomCopy(out + used, name, length);
    used += length;
  }
  out[used] = 0;
  if (used == 0) { /* the host's root */
    out[0] = '/';
    out[1] = 0;
  }
  return (long)used;
}

long __fathom_materialize(int inode) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (!node->host || node->kind == kDirectory) return 0;
  char path[PATH_MAX];
  long status = __fathom_hostPath(inode, 0, 0, path, sizeof path);
  if (status < 0) return status;
  status = __fathom_reserve(node, node->size);
  if (status < 0) return status;
  usize done = 0;
  if (node->kind == kLink) {
    long got = __fathom_host_readlink(path, (char *)node->data, node->size);
    if (got < 0) return got;
    done = (usize)got;
  }
  while (node->kind != kLink && done < node->size) {
    long got = __fathom_host_read(path, done, node->data + done, node->size - done);
    if (got < 0) return got;
    if (got == 0) break;
    done += (usize)got;
  }
  node->size = done;
  node->host = 0;
  return 0;
}

long __fathom_readData(int inode, usize offset, void *buffer, usize count) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  __fathom_beforeRead(inode);
  if (offset >= node->size) return 0;
  count = __fathom_sizeUpTo(count, node->size - offset, "number of bytes to read");
  if (node->host) {
    char path[PATH_MAX];
    long status = __fathom_hostPath(inode, 0, 0, path, sizeof path);
    return status < 0 ? status : __fathom_host_read(path, offset, buffer, count);
  }
  usize stored = count;
  if (node->size > node->capacity)
    stored = offset < node->capacity ? fathomMin(count, node->capacity - offset) : 0;
  fathomCopy(buffer, node->data + offset, stored);
  if (stored < count) fathomZero((byte *)buffer + stored, count - stored);
  return (long)count;
}

long __fathom_writeData(int inode, usize offset, const void *buffer, usize count) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (count == 0) return 0;
  long status = __fathom_materialize(inode);
  if (status == 0) status = __fathom_reserve(node, offset + count);
  if (status < 0) return status;
  fathomCopy(node->data + offset, buffer, count);
  if (offset + count > node->size) node->size = offset + count;
  __fathom_afterWrite(inode, offset, buffer, count);
  return (long)count;
}

long __fathom_resize(int inode, usize size) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (node->kind == kStream) {
    node->size = size;
    return 0;
  }
  if (node->host && size == 0) {
    node->host = 0; /* nothing of the host's contents is left: no need to read them */
    node->size = 0;
  }
  long status = __fathom_materialize(inode);
  if (status < 0) return status;
  if (size < node->size && size < node->capacity)
    fathomZero(node->data + size, fathomMin(node->size, node->capacity) - size);
  node->size = size;
  return 0;
}

int __fathom_allowed(int inode, unsigned bits) {
  const struct fathom_inode *node = &__fathom_inodes[inode];
  if (__fathom_uid == 0) /* root is refused only execution of a file without any execute bit */
    return !(bits & 1) || node->kind == kDirectory || (node->mode & 0111);
  unsigned shift = node->uid == __fathom_uid ? 6 : node->gid == __fathom_gid ? 3 : 0;
  return (node->mode >> shift & bits) == bits;
}

int __fathom_readOnly(int inode) {
  byte mount = __fathom_inodes[inode].mount;
  return mount == kMountHost || mount == kMountDev || mount == kMountProc;
}

unsigned __fathom_fileType(int inode) {
  switch (__fathom_inodes[inode].kind) {
  case kRegular:
  case kStream: return S_IFREG;
  case kDirectory: return S_IFDIR;
  case kLink: return S_IFLNK;
  case kPipe: return S_IFIFO;
  default: return S_IFCHR;
  }
}

void __fathom_touch(int inode, int access, int modify, int change) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  if (access) node->atime = __fathom_clock;
  if (modify) node->mtime = __fathom_clock;
  if (change) node->ctime = __fathom_clock;
}
