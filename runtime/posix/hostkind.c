/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A symbolic name in a directory of the host, without a value for it. The names there are many, but
 * what most calls see of them is one of few things: the kind of file, its mode, its owner and where
 * it is mounted. Which of these a name has is one value, computed from the name and the directory's
 * listing; the path forks over it. A call that needs no more than that (access) goes on with any
 * file of this kind, and the name stays symbolic; other calls then pin it to one of the files.
 *
 * Links and what is neither a file nor a directory have no kind here: their names are pinned.
 */
#include "state.h"

enum {
  kMaxKinds = 16,      /* more than that in one directory are left to be pinned */
  kMaxHostNames = 4096 /* as in path.c */
};

struct hostKind {
  unsigned long mode;
  unsigned uid, gid;
  byte mount;
  int entry;    /* of one such file; FATHOM_NONE: not known in the model yet */
  usize listed; /* then its number in the host's listing */
};

struct table {
  struct hostKind kinds[kMaxKinds];
  usize count;
};

/* The number of this kind from 1 on; 0 if there is no room. */
static usize numberOf(struct table *table, const struct hostKind *kind) {
  for (usize i = 0; i < table->count; i++) {
    const struct hostKind *k = &table->kinds[i];
    if (k->mode == kind->mode && k->uid == kind->uid && k->gid == kind->gid &&
        k->mount == kind->mount)
      return i + 1;
  }
  if (table->count == kMaxKinds) return 0;
  table->kinds[table->count++] = *kind;
  return table->count;
}

/* All ones if `name` is the path's rest, which is left bytes long at most; without branches. */
static usize isRest(const char *text, usize left, const char *name, usize length) {
  if (length > left) return 0;
  byte difference = (byte)text[length];
  for (usize i = 0; i < length; i++) difference |= (byte)(text[i] ^ name[i]);
  return -(usize)(difference == 0);
}

int __fathom_matchHostKind(int directory, const char *text, usize left, int import) {
  static int enabled = -1;
  if (enabled < 0) enabled = __fathom_config(FATHOM_CONFIG_HOST_KINDS) == 1;
  if (!enabled) return FATHOM_NONE;
  struct table table;
  table.count = 0;
  usize which = 0;
  for (int i = 0; i < __fathom_entryCount; i++) {
    const struct fathom_entry *entry = &__fathom_entries[i];
    if (!entry->used || entry->directory != directory || entry->inode == FATHOM_NONE) continue;
    const struct fathom_inode *node = &__fathom_inodes[entry->inode];
    if (node->kind != kRegular && node->kind != kDirectory) continue;
    struct hostKind kind = {
        node->mode | __fathom_fileType(entry->inode), node->uid, node->gid, node->mount, i, 0};
    which |= isRest(text, left, entry->name, entry->length) & numberOf(&table, &kind);
  }
  char path[PATH_MAX], name[kMaxName + 1];
  if (__fathom_hostPath(directory, 0, 0, path, sizeof path) < 0) return FATHOM_NONE;
  for (usize i = 0; i < kMaxHostNames; i++) {
    long length = __fathom_host_dirent(path, i, name, sizeof name);
    if (length <= 0) break;
    if (__fathom_findEntry(directory, name, (usize)length) != FATHOM_NONE) continue;
    char file[PATH_MAX];
    struct fathom_host_stat info;
    fathomZero(&info, sizeof info);
    if (__fathom_hostPath(directory, name, (usize)length, file, sizeof file) < 0 ||
        __fathom_host_stat(file, 0, &info) < 0)
      continue;
    unsigned long type = info.mode & S_IFMT;
    if (type != S_IFREG && type != S_IFDIR) continue;
    struct hostKind kind = {(info.mode & 07777) | type,
                            (unsigned)info.uid,
                            (unsigned)info.gid,
                            __fathom_mountFor(directory, name, (usize)length),
                            FATHOM_NONE,
                            i};
    which |= isRest(text, left, name, (usize)length) & numberOf(&table, &kind);
  }
  if (which == 0) return FATHOM_NONE;
  which = __fathom_fork_values(which, 1, table.count);
  const struct hostKind *kind = &table.kinds[which - 1];
  if (!import || kind->entry != FATHOM_NONE) return import ? kind->entry : FATHOM_NONE;
  long length = __fathom_host_dirent(path, kind->listed, name, sizeof name);
  return length > 0 ? __fathom_importHost(directory, name, (usize)length) : FATHOM_NONE;
}
