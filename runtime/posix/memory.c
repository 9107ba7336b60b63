/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mmap and its relatives. A mapping is memory from __fathom_map; a mapped file is copied into it.
 * Shared mappings that can be written are copied back when the file is looked at in another way, at
 * msync and at munmap.
 */
#include "syscalls.h"
#include <linux/mman.h>

enum { kMaxMappings = 256, kPage = 4096 };

static struct mapping {
  byte *start;    /* 0: free slot */
  usize size;     /* whole pages */
  usize left;     /* bytes that have not been unmapped piecewise */
  int inode;      /* FATHOM_NONE: anonymous */
  usize offset;   /* of start in the file */
  int shared;     /* with the file: follows it */
  int writesBack; /* and the file follows it */
} mappings[kMaxMappings];
static int sharedMappings;

static usize pages(usize size) { return (size + kPage - 1) & ~(usize)(kPage - 1); }

static struct mapping *findMapping(const byte *address) {
  for (int i = 0; i < kMaxMappings; i++)
    if (mappings[i].start && address >= mappings[i].start &&
        address < mappings[i].start + mappings[i].size)
      return &mappings[i];
  return 0;
}

static int overlapsMapping(const byte *address, usize size) {
  for (int i = 0; i < kMaxMappings; i++)
    if (mappings[i].start && address < mappings[i].start + mappings[i].size &&
        mappings[i].start < address + size)
      return 1;
  return 0;
}

/* Memory that mmap gave, or that is the engine's. */
static int isMapped(const byte *address) {
  return findMapping(address) || __fathom_object_size(address);
}

static const char kNotEnforced[] =
    "memory protection is not enforced: an access that would end the program goes on";

/* Bytes of the mapping that the file has. */
static usize inFile(const struct mapping *m) {
  usize size = __fathom_inodes[m->inode].size;
  return size > m->offset ? fathomMin(size - m->offset, m->size) : 0;
}

/* Reading and writing a file calls the two functions below; the guard stops them from calling each
 * other. */
static int guarded;

static void writeBack(struct mapping *m) {
  usize count = inFile(m);
  guarded = 1;
  if (count) __fathom_writeData(m->inode, m->offset, m->start, count);
  guarded = 0;
}

void __fathom_beforeRead(int inode) {
  for (int i = 0; sharedMappings && !guarded && i < kMaxMappings; i++)
    if (mappings[i].start && mappings[i].writesBack && mappings[i].inode == inode)
      writeBack(&mappings[i]);
}

void __fathom_afterWrite(int inode, usize offset, const void *data, usize count) {
  for (int i = 0; sharedMappings && !guarded && i < kMaxMappings; i++) {
    struct mapping *m = &mappings[i];
    if (!m->start || !m->shared || m->inode != inode || offset >= m->offset + m->size ||
        offset + count <= m->offset)
      continue;
    usize from = offset > m->offset ? offset - m->offset : 0,
          skip = m->offset > offset ? m->offset - offset : 0;
    fathomCopy(m->start + from, (const byte *)data + skip, fathomMin(count - skip, m->size - from));
  }
}

static struct mapping *newMapping(usize size) {
  for (int i = 0; i < kMaxMappings; i++) {
    struct mapping *m = &mappings[i];
    if (m->start) continue;
    if (__fathom_allocation_fails()) return 0;
    m->start = __fathom_map(pages(size));
    m->size = m->left = pages(size);
    m->inode = FATHOM_NONE;
    m->offset = 0;
    m->shared = m->writesBack = 0;
    return m->start ? m : 0;
  }
  __fathom_ledger("environment", "more memory mappings than the model has room for: ENOMEM");
  return 0;
}

static void freeMapping(struct mapping *m) {
  if (m->inode != FATHOM_NONE) {
    if (m->writesBack) writeBack(m);
    sharedMappings -= m->shared;
    __fathom_release(m->inode);
  }
  __fathom_unmap(m->start, m->size);
  m->start = 0;
}

static long checkFile(const struct fathom_openFile *file, long protection, int shared) {
  int access = file->flags & O_ACCMODE;
  byte kind = __fathom_inodes[file->inode].kind;
  if (file->flags & O_PATH) return -EBADF;
  if (access == O_WRONLY || (shared && (protection & PROT_WRITE) && access != O_RDWR))
    return -EACCES;
  return kind == kRegular || kind == kZero ? 0 : -ENODEV;
}

static long mapAt(byte *address, usize size, const struct fathom_openFile *file, usize offset) {
  struct mapping *m = findMapping(address);
  if (!m || address + size > m->start + m->size) {
    __fathom_ledger("environment", "mapping at a fixed address outside existing mappings: ENOMEM");
    return -ENOMEM;
  }
  fathomZero(address, size);
  if (file) __fathom_readData(file->inode, offset, address, size);
  return (long)address;
}

long __fathom_sys_mmap(void *address, usize size, long protection, long flags, long fd,
                       long offset) {
  if (__fathom_is_symbolic(size)) { /* whole pages are one number more often */
    if (size == 0) return -EINVAL;
    size = (usize)__fathom_pinned((long)pages(size), "size of a mapping");
  }
  flags = (int)flags;
  int type = (int)flags & MAP_TYPE;
  if (size == 0 || (offset & (kPage - 1)) ||
      (type != MAP_SHARED && type != MAP_PRIVATE && type != MAP_SHARED_VALIDATE))
    return -EINVAL;
  if ((long)size < 0 || size > 1ul << 46) return -ENOMEM;
  struct fathom_openFile *file = 0;
  int shared = type != MAP_PRIVATE;
  if (!(flags & MAP_ANONYMOUS)) {
    file = __fathom_file(fd);
    if (!file) return -EBADF;
    long status = checkFile(file, protection, shared);
    if (status < 0) return status;
    if (__fathom_inodes[file->inode].kind == kZero) file = 0;
  }
  if (protection == PROT_NONE) __fathom_ledger("environment", kNotEnforced);
  if ((flags & MAP_FIXED_NOREPLACE) && overlapsMapping(address, size)) return -EEXIST;
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) return mapAt(address, size, file, (usize)offset);
  struct mapping *m = newMapping(size);
  if (!m) return -ENOMEM;
  if (file) {
    long got = __fathom_readData(file->inode, (usize)offset, m->start, size);
    if (got < 0) {
      freeMapping(m);
      return got;
    }
    m->inode = file->inode;
    m->offset = (usize)offset;
    m->shared = shared;
    m->writesBack = shared && (file->flags & O_ACCMODE) == O_RDWR;
    sharedMappings += m->shared;
    __fathom_keep(m->inode);
  }
  return (long)m->start;
}

/* A part of a mapping that is unmapped stays readable until the last part goes: use of it is not
 * noticed. */
long __fathom_sys_munmap(byte *address, usize size) {
  if (((usize)address & (kPage - 1)) || size == 0) return -EINVAL;
  size = (usize)__fathom_pinned((long)pages(size), "size of a mapping");
  struct mapping *m = findMapping(address);
  if (!m) {
    __fathom_ledger("environment", "munmap of memory that mmap did not give");
    return 0;
  }
  m->left = m->left > size ? m->left - size : 0;
  if (m->left == 0)
    freeMapping(m);
  else
    __fathom_ledger("environment", "part of a mapping is unmapped: its later use is not noticed");
  return 0;
}

enum { kMremapMaymove = 1, kMremapFixed = 2 };

long __fathom_sys_mremap(byte *address, usize oldSize, usize newSize, long flags) {
  oldSize = pages((usize)__fathom_pinned((long)oldSize, "size of a mapping"));
  newSize = pages((usize)__fathom_pinned((long)newSize, "size of a mapping"));
  if (((usize)address & (kPage - 1)) || newSize == 0 || (flags & ~(kMremapMaymove | kMremapFixed)))
    return -EINVAL;
  struct mapping *m = findMapping(address);
  if (!m) return -EFAULT;
  if (newSize <= oldSize) {
    if (newSize < oldSize) __fathom_sys_munmap(address + newSize, oldSize - newSize);
    return (long)address;
  }
  if (flags != kMremapMaymove || m->start != address || m->inode != FATHOM_NONE) {
    __fathom_ledger("environment", "mremap in place or of a file is not modelled: ENOMEM");
    return -ENOMEM;
  }
  struct mapping *grown = newMapping(newSize);
  if (!grown) return -ENOMEM;
  fathomCopy(grown->start, m->start, fathomMin(m->size, oldSize));
  freeMapping(m);
  return (long)grown->start;
}

long __fathom_sys_mprotect(const byte *address, long protection) {
  const long known = PROT_READ | PROT_WRITE | PROT_EXEC | PROT_SEM;
  protection = __fathom_pinned((int)protection, "memory protection");
  if (((usize)address & (kPage - 1)) || (protection & ~known)) return -EINVAL;
  if (!isMapped(address)) return -ENOMEM;
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    __fathom_ledger("environment", kNotEnforced);
  return 0;
}

long __fathom_sys_madvise(byte *address, usize size, long advice) {
  struct mapping *m = findMapping(address);
  advice = __fathom_pinned((int)advice, "advice about memory");
  if (((usize)address & (kPage - 1)) || advice < 0 || advice > MADV_COLLAPSE) return -EINVAL;
  if (size && !isMapped(address)) return -ENOMEM;
  if (advice == MADV_DONTNEED && m && m->inode == FATHOM_NONE) {
    size = pages((usize)__fathom_pinned((long)size, "size of a mapping"));
    fathomZero(address, fathomMin(size, (usize)(m->start + m->size - address)));
  }
  return 0;
}

long __fathom_sys_msync(byte *address) {
  struct mapping *m = findMapping(address);
  if ((usize)address & (kPage - 1)) return -EINVAL;
  if (!m) return -ENOMEM;
  if (m->writesBack) writeBack(m);
  return 0;
}

/* The heap is the engine's: the break never moves, as if there were no room. */
long __fathom_sys_brk(void) { return 0x10000000; }
