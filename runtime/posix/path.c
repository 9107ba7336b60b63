/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From a path to an inode, one component at a time, as the kernel does it; and what that means for
 * a path with symbolic bytes.
 *
 * A component with symbolic bytes is compared with every name that exists in the directory ("." and
 * ".." among them), one fork per name; what remains after them names nothing, here and on replay,
 * because these were all the names. Where the host's files are visible their names count as
 * existing too, but as a group: one fork for "one of them", in which the name is pinned (ledger),
 * because one path per file of /usr/bin would cost too much; if the engine asks for it, one fork
 * for each kind of file among them (hostkind.c). For the same reason a symbolic path that goes on
 * and on ("././/./A") is pinned after kSymbolicSteps steps. Where a longer path has no known name
 * at the front, nothing is lost. */
#include "state.h"

enum {
  kSymbolicSteps = 3, /* components and slashes of a symbolic path that are explored exactly ... */
  kShortPath = 4,     /* ... and paths of at most so many bytes always are */
  kMaxHostNames = 4096, /* names of one host directory that a symbolic component is compared with */
  kMaxLinks = 40        /* symbolic links followed, as in the kernel */
};

static int symbolicByte(char c) { return __fathom_is_symbolic((usize)(byte)c); }

/* A name in an object of symbolic size, with zeros in place of what is behind the object. Where it
 * can be without a NUL, the program's overread is reported. */
static const char *copyOfSized(const char *user, char *copy) {
  const usize available = __fathom_object_size(user);
  if (!__fathom_is_symbolic(available) || !__fathom_staysSymbolic(available)) return user;
  fathomZero(copy, PATH_MAX + 1);
  fathomCopy(copy, user, available);
  int ends = 0;
  for (usize i = 0; __fathom_is_symbolic((usize)(byte)copy[i]); i++)
    ends |= (copy[i] == 0) & (i < available);
  if (!ends) (void)*((const volatile char *)user + available);
  return copy;
}

/* Is one of the first `length` bytes the NUL at the end, on this path? Where one of them may be,
 * the path forks. */
static int endsWithin(const struct fathom_path *path, usize length) {
  int ends = 0;
  for (usize i = 0; i < length; i++) ends |= path->text[i] == 0;
  return ends;
}

/* What is behind the NUL need not be there, nor have been written: no byte is read behind one that
 * is the NUL for certain, and none behind the object where one of those before is. */
long __fathom_getPath(const char *user, struct fathom_path *path) {
  if (!user) return -EFAULT;
  path->symbolic = 0;
  /* Where the name begins is not known: then no byte is the NUL at the end for certain, and each
   * can be. */
  const int moves = __fathom_is_symbolic((usize)user);
  if (__fathom_config(FATHOM_CONFIG_SIZED_INPUT) > 0) user = copyOfSized(user, path->text);
  const usize available = moves || user == path->text ? PATH_MAX : __fathom_object_size(user);
  for (usize i = 0; i < PATH_MAX; i++) {
    char c = i == available && path->symbolic && endsWithin(path, i) ? 0 : user[i];
    if (symbolicByte(c) && !moves && __fathom_is_zero((usize)(byte)c)) c = 0;
    path->text[i] = c;
    if (symbolicByte(c) && !(moves && !c)) {
      path->symbolic = 1;
    } else if (!c) {
      path->length = i;
      return 0;
    }
  }
  return -ENAMETOOLONG;
}

long __fathom_makePath(const char *text, usize length, struct fathom_path *path) {
  if (length >= PATH_MAX) return -ENAMETOOLONG;
  fathomCopy(path->text, text, length);
  path->text[length] = 0;
  path->length = length;
  path->symbolic = 0;
  for (usize i = 0; i < length; i++) path->symbolic |= symbolicByte(text[i]);
  return 0;
}

/* A walk under way. */
struct walk {
  struct fathom_path *path;
  usize at;      /* the next byte of the path to look at */
  int directory; /* where the next component is looked up */
  int steps;     /* choices made on symbolic bytes */
  int kindOnly;  /* kKindOnly */
};

/* What one component turned out to be. */
struct component {
  usize length;
  enum fathom_last kind;
  int inode, entry; /* FATHOM_NONE: nothing of this name */
  int unknownEnd;   /* a symbolic component that names nothing: its length has not been decided */
  int isEnd; /* a symbolic component that names any file of the entry's kind: nothing follows it */
};

/* Does the component at w->at equal name? One value without branches on bytes. */
static int isComponent(const struct walk *w, const char *name, usize length) {
  if (w->at + length > w->path->length) return 0;
  const char *text = w->path->text + w->at;
  byte difference = 0;
  for (usize i = 0; i < length; i++) difference |= (byte)(text[i] ^ name[i]);
  char end = text[length];
  return (difference == 0) & ((end == 0) | (end == '/'));
}

static void setInode(struct component *c, int inode) {
  c->inode = inode;
  c->entry = FATHOM_NONE;
}

static void setEntry(struct component *c, int entry) {
  c->entry = entry;
  c->inode = __fathom_entries[entry].inode;
  c->length = __fathom_entries[entry].length;
}

/* In a directory of the host: which of the known names is it? Returns 0 if none. The number of the
 * matching name is computed without branches, then one branch decides "any of them". */
static int matchAnyHostName(struct walk *w, struct component *c) {
  int entryOfKind = __fathom_matchHostKind(w->directory, w->path->text + w->at,
                                           w->path->length - w->at, w->kindOnly);
  if (entryOfKind != FATHOM_NONE) {
    setEntry(c, entryOfKind);
    c->isEnd = 1;
    return 1;
  }
  char path[PATH_MAX], name[kMaxName + 1];
  usize which = 0;
  for (int i = 0; i < __fathom_entryCount; i++) {
    const struct fathom_entry *entry = &__fathom_entries[i];
    if (entry->used && entry->directory == w->directory && entry->inode != FATHOM_NONE)
      which |= -(usize)isComponent(w, entry->name, entry->length) & (usize)(i + 1);
  }
  int listed = __fathom_hostPath(w->directory, 0, 0, path, sizeof path) >= 0;
  for (usize i = 0; listed && i < kMaxHostNames; i++) {
    long length = __fathom_host_dirent(path, i, name, sizeof name);
    if (length <= 0) break;
    if (__fathom_findEntry(w->directory, name, (usize)length) == FATHOM_NONE)
      which |= -(usize)isComponent(w, name, (usize)length) & (kMaxEntries + i + 1);
  }
  if (which == 0) return 0;
  which = __fathom_concretize(which, "a file name that depends on the input: it takes one of the "
                                     "names on this machine, paths with others are missed");
  if (which <= kMaxEntries) {
    setEntry(c, (int)which - 1);
    return 1;
  }
  long length = __fathom_host_dirent(path, which - kMaxEntries - 1, name, sizeof name);
  int entry = length > 0 ? __fathom_importHost(w->directory, name, (usize)length) : FATHOM_NONE;
  if (entry == FATHOM_NONE) return 0;
  setEntry(c, entry);
  return 1;
}

static void resolveSymbolic(struct walk *w, struct component *c) {
  const struct fathom_inode *node = &__fathom_inodes[w->directory];
  c->kind = kLastNormal;
  w->steps++;
  if (!node->host) {
    for (int i = 0; i < __fathom_entryCount; i++) {
      const struct fathom_entry *entry = &__fathom_entries[i];
      if (entry->used && entry->directory == w->directory &&
          isComponent(w, entry->name, entry->length)) {
        setEntry(c, i);
        return;
      }
    }
  }
  if (isComponent(w, ".", 1)) {
    c->kind = kLastDot;
    c->length = 1;
    setInode(c, w->directory);
    return;
  }
  if (isComponent(w, "..", 2)) {
    c->kind = kLastDotDot;
    c->length = 2;
    setInode(c, node->parent);
    return;
  }
  if (node->host && matchAnyHostName(w, c)) return;
  setInode(c, FATHOM_NONE);
  c->unknownEnd = 1;
}

/* /proc/self/fd/N */
static void resolveDescriptor(const char *name, struct component *c) {
  long fd = 0;
  for (usize i = 0; i < c->length; i++) {
    if (name[i] < '0' || name[i] > '9' || fd >= kMaxFds) {
      fd = FATHOM_NONE;
      break;
    }
    fd = fd * 10 + (name[i] - '0');
  }
  struct fathom_openFile *file = fd >= 0 ? __fathom_file(fd) : 0;
  setInode(c, file ? file->inode : FATHOM_NONE);
}

static void resolveConcrete(const struct walk *w, struct component *c) {
  const char *name = w->path->text + w->at;
  const struct fathom_inode *node = &__fathom_inodes[w->directory];
  c->kind = kLastNormal;
  if (c->length > kMaxName) {
    setInode(c, FATHOM_NONE);
  } else if (c->length == 1 && name[0] == '.') {
    c->kind = kLastDot;
    setInode(c, w->directory);
  } else if (c->length == 2 && name[0] == '.' && name[1] == '.') {
    c->kind = kLastDotDot;
    setInode(c, node->parent);
  } else if (node->fdListing) {
    resolveDescriptor(name, c);
  } else {
    int entry = __fathom_findEntry(w->directory, name, c->length);
    if (entry == FATHOM_NONE) entry = __fathom_importHost(w->directory, name, c->length);
    if (entry == FATHOM_NONE)
      setInode(c, FATHOM_NONE);
    else
      setEntry(c, entry);
  }
}

/* Looks up the component at w->at. */
static void resolve(struct walk *w, struct component *c) {
  const char *text = w->path->text + w->at;
  c->unknownEnd = 0;
  c->isEnd = 0;
  c->length = 0;
  for (;; c->length++) {
    char byteHere = text[c->length];
    if (w->path->symbolic && symbolicByte(byteHere)) {
      resolveSymbolic(w, c);
      return;
    }
    if (!byteHere || byteHere == '/') {
      resolveConcrete(w, c);
      return;
    }
  }
}

/* The length of a symbolic component that names nothing, when it has to be created: one fork per
 * length. */
static void decideEnd(const struct walk *w, struct component *c) {
  const char *text = w->path->text + w->at;
  c->length = 0;
  while (!((text[c->length] == 0) | (text[c->length] == '/'))) c->length++;
}

/* The rest of a symbolic path gets one value. */
static void pinRest(struct walk *w) {
  char *text = w->path->text;
  for (usize i = w->at; i < w->path->length; i++) {
    text[i] = (char)__fathom_pinned((byte)text[i], "the rest of a long symbolic path");
    if (!text[i]) w->path->length = i;
  }
}

/* Is there a slash at w->at? Passes all of them. */
static int skipSlashes(struct walk *w) {
  char *text = w->path->text;
  int any = 0;
  for (;;) {
    if (w->path->symbolic && symbolicByte(text[w->at])) {
      if (w->path->length > kShortPath && w->steps > kSymbolicSteps)
        pinRest(w);
      else
        w->steps++;
    }
    if (text[w->at] != '/') return any;
    any = 1;
    w->at++;
  }
}

static long walkPath(int start, struct fathom_path *path, int flags, int links,
                     struct fathom_found *found);

static long linkTarget(int inode, struct fathom_path *target) {
  struct fathom_inode *node = &__fathom_inodes[inode];
  char text[PATH_MAX];
  if (!node->host) return __fathom_makePath((const char *)node->data, node->size, target);
  long length = __fathom_hostPath(inode, 0, 0, text, sizeof text);
  if (length < 0) return length;
  length = __fathom_host_readlink(text, target->text, PATH_MAX);
  if (length < 0) return length;
  target->text[length] = 0;
  target->length = (usize)length;
  target->symbolic = 0;
  return 0;
}

static long followLink(int directory, int inode, int flags, int links, struct fathom_found *found) {
  struct fathom_path target;
  if (links >= kMaxLinks) return -ELOOP;
  long status = linkTarget(inode, &target);
  return status < 0 ? status : walkPath(directory, &target, flags | kFollow, links + 1, found);
}

static void setFound(struct fathom_found *found, const struct walk *w, const struct component *c,
                     const char *name) {
  found->inode = c->inode;
  found->entry = c->entry;
  found->directory = w->directory;
  found->last = c->kind;
  found->nameLength = c->length;
  if (c->kind == kLastNormal) fathomCopy(found->name, name, fathomMin(c->length, kMaxName));
}

static long walkPath(int start, struct fathom_path *path, int flags, int links,
                     struct fathom_found *found) {
  struct walk w = {path, 0, start, 0, (flags & kKindOnly) != 0};
  if (path->length == 0) return -ENOENT;
  found->slash = 0;
  if (skipSlashes(&w)) {
    w.directory = __fathom_rootInode;
    struct component root = {0, kLastRoot, __fathom_rootInode, FATHOM_NONE, 0, 0};
    setFound(found, &w, &root, "");
    if (path->text[w.at] == 0) {
      found->slash = 1;
      return 0;
    }
  }
  for (;;) {
    if (__fathom_inodes[w.directory].kind != kDirectory) return -ENOTDIR;
    if (!__fathom_allowed(w.directory, 1)) return -EACCES;
    struct component c;
    long status;
    resolve(&w, &c);
    if (c.inode == FATHOM_NONE) {
      /* A name that is not there and too long is another error; only then does its length have to
       * be known. */
      if (c.unknownEnd && ((flags & kParent) || path->length - w.at > kMaxName)) decideEnd(&w, &c);
      if (!(flags & kParent)) return c.length > kMaxName ? -ENAMETOOLONG : -ENOENT;
      if (c.length == 0) return -ENOENT; /* only a symbolic path that turned out to be empty */
    }
    const char *name = path->text + w.at;
    w.at += c.length;
    int slash = c.isEnd ? 0 : skipSlashes(&w);
    int last = c.isEnd || path->text[w.at] == 0;
    if (c.inode == FATHOM_NONE && !last) return c.length > kMaxName ? -ENAMETOOLONG : -ENOENT;
    /* The last name, where it is to be created, removed or replaced, stands for itself even with a
     * slash after it. */
    int follows = !last || (!slash && (flags & kFollow)) || (slash && !(flags & kParent));
    if (follows && c.inode != FATHOM_NONE && __fathom_inodes[c.inode].kind == kLink) {
      status = followLink(w.directory, c.inode, last ? flags : flags & ~kParent, links, found);
      if (status < 0) return status;
      if (last) {
        found->slash |= slash;
        return slash && __fathom_inodes[found->inode].kind != kDirectory ? -ENOTDIR : 0;
      }
      c.inode = found->inode;
    }
    if (last) {
      setFound(found, &w, &c, name);
      found->slash = slash;
      return slash && !(flags & kParent) && __fathom_inodes[c.inode].kind != kDirectory ? -ENOTDIR
                                                                                        : 0;
    }
    w.directory = c.inode;
  }
}

static long startDirectory(int dirfd, const struct fathom_path *path) {
  if (dirfd == AT_FDCWD || path->text[0] == '/') return __fathom_cwdInode;
  struct fathom_openFile *file = __fathom_file(dirfd);
  if (!file) return -EBADF;
  return __fathom_inodes[file->inode].kind == kDirectory ? file->inode : -ENOTDIR;
}

long __fathom_lookup(int dirfd, const struct fathom_path *path, int flags,
                     struct fathom_found *found) {
  if (path->length == 0) return -ENOENT;
  long start = startDirectory(dirfd, path);
  if (start < 0) return start;
  long status = walkPath((int)start, (struct fathom_path *)path, flags, 0, found);
  /* What the user may have to supply. A name that the input decides, or that is to be created or
   * removed, is not that. */
  if (status == -ENOENT && !path->symbolic && !(flags & kParent))
    __fathom_missing_file(path->text, path->text[0] != '/' && !__fathom_inodes[start].host);
  return status;
}

long __fathom_lookupUser(int dirfd, const char *user, int flags, int atEmptyPath,
                         struct fathom_found *found) {
  struct fathom_path path;
  long status = __fathom_getPath(user, &path);
  if (status < 0) return status;
  if (!atEmptyPath || path.length) return __fathom_lookup(dirfd, &path, flags, found);
  found->last = kLastDot;
  found->entry = found->directory = FATHOM_NONE;
  found->slash = 0;
  found->nameLength = 0;
  if (dirfd == AT_FDCWD) {
    found->inode = __fathom_cwdInode;
    return 0;
  }
  struct fathom_openFile *file = __fathom_file(dirfd);
  if (!file) return -EBADF;
  found->inode = file->inode;
  return 0;
}
