/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file system as the program finds it: the host's root (read only, where the engine shows it)
 * with /dev, /proc and the working directory of our own mounted over it, and the three standard
 * descriptors.
 */
#include "filesystem.h"
#include "state.h"

int __fathom_rootInode, __fathom_cwdInode;

static int addNode(int directory, const char *name, enum fathom_kind kind, unsigned mode) {
  int inode = __fathom_newInode(kind, mode);
  __fathom_inodes[inode].uid = __fathom_inodes[inode].gid = 0;
  __fathom_addEntry(directory, name, fathomLength(name), inode);
  return inode;
}

/* What is mounted over the host's directory of this name is listed in its place. */
static void markOnHost(int directory, const char *name, usize length) {
  char path[PATH_MAX];
  struct fathom_host_stat info;
  if (!__fathom_inodes[directory].host ||
      __fathom_hostPath(directory, name, length, path, sizeof path) < 0)
    return;
  if (__fathom_host_stat(path, 0, &info) < 0) return;
  __fathom_entries[__fathom_findEntry(directory, name, length)].onHost = 1;
  __fathom_inodes[directory].nlink--; /* already in the host's count */
}

/* A directory in which another file system begins. */
static int addMount(int directory, const char *name, unsigned mode, enum fathom_mount mount) {
  int inode = addNode(directory, name, kDirectory, mode);
  __fathom_inodes[inode].mount = (byte)mount;
  markOnHost(directory, name, fathomLength(name));
  return inode;
}

static void addLink(int directory, const char *name, const char *target) {
  __fathom_writeData(addNode(directory, name, kLink, 0777), 0, target, fathomLength(target));
}

static void makeRoot(void) {
  struct fathom_host_stat info;
  __fathom_rootInode = __fathom_newInode(kDirectory, 0755);
  struct fathom_inode *root = &__fathom_inodes[__fathom_rootInode];
  root->uid = root->gid = 0;
  root->parent = __fathom_rootInode;
  root->hostPrefix = "";
  root->mount = kMountHost;
  fathomZero(&info, sizeof info);
  if (__fathom_host_stat("/", 1, &info) == 0) {
    root->host = 1;
    root->ino = info.ino;
    root->size = info.size;
    root->mode = (unsigned)info.mode & 07777;
    root->nlink = (unsigned)info.nlink;
    root->atime.sec = root->mtime.sec = root->ctime.sec = (long)info.mtime_sec;
    root->atime.nsec = root->mtime.nsec = root->ctime.nsec = 0;
  }
  __fathom_keep(__fathom_rootInode);
}

/* The host's own /dev and /proc would make results depend on the machine. */
static void makeDevices(void) {
  int dev = addMount(__fathom_rootInode, "dev", 0755, kMountDev);
  addNode(dev, "null", kNull, 0666);
  addNode(dev, "zero", kZero, 0666);
  addNode(dev, "full", kFull, 0666);
  addNode(dev, "random", kRandom, 0666);
  addNode(dev, "urandom", kRandom, 0666);
  addLink(dev, "stdin", "/proc/self/fd/0");
  addLink(dev, "stdout", "/proc/self/fd/1");
  addLink(dev, "stderr", "/proc/self/fd/2");
  addLink(dev, "fd", "/proc/self/fd");
  addNode(dev, "tty", kNoTty, 0666);
  addMount(dev, "shm", 01777, kMountShm);
  int self =
      addNode(addMount(__fathom_rootInode, "proc", 0555, kMountProc), "self", kDirectory, 0555);
  __fathom_inodes[addNode(self, "fd", kDirectory, 0500)].fdListing = 1;
}

/* The directory called name on the way to the working directory: there already, on the host, or
 * new. The last one is the program's own and empty, and so are all below /tmp, whatever the host
 * has there. */
static int enterDirectory(int directory, const char *name, usize length, int last) {
  int isOwn = last || __fathom_inodes[directory].mount != kMountHost;
  int entry = isOwn ? FATHOM_NONE : __fathom_findEntry(directory, name, length);
  if (entry == FATHOM_NONE && !isOwn) entry = __fathom_importHost(directory, name, length);
  if (entry != FATHOM_NONE && __fathom_inodes[__fathom_entries[entry].inode].kind == kDirectory)
    return __fathom_entries[entry].inode;
  int inode = __fathom_newInode(kDirectory, 0755);
  __fathom_addEntry(directory, name, length, inode);
  if (isOwn) __fathom_inodes[inode].mount = kMountOwn;
  markOnHost(directory, name, length);
  return inode;
}

static void makeWorkingDirectory(void) {
  static char path[PATH_MAX] = "/tmp/fathom/work", host[PATH_MAX];
  char configured[PATH_MAX];
  long length = __fathom_config_string(FATHOM_CONFIG_CWD, configured, sizeof configured);
  if (length > 0 && length < PATH_MAX && configured[0] == '/') {
    fathomCopy(path, configured, (usize)length);
    path[length] = 0;
  }
  int at = __fathom_rootInode;
  for (usize i = 0; path[i];) {
    while (path[i] == '/') i++;
    usize start = i;
    while (path[i] && path[i] != '/') i++;
    if (i > start) at = enterDirectory(at, path + start, i - start, path[i] == 0);
  }
  __fathom_cwdInode = at;
  __fathom_keep(at);
  length = __fathom_config_string(FATHOM_CONFIG_HOST_CWD, host, sizeof host);
  if (length > 0 && length < PATH_MAX && at != __fathom_rootInode) {
    __fathom_inodes[at].host = 1;
    __fathom_inodes[at].hostPrefix = host;
  }
}

int __fathom_addDataFile(const char *name, byte *data, usize size, usize room) {
  int inode = __fathom_newInode(kRegular, 0644);
  struct fathom_inode *node = &__fathom_inodes[inode];
  node->data = data;
  node->size = size;
  node->capacity = room;
  if (name) __fathom_addEntry(__fathom_cwdInode, name, fathomLength(name), inode);
  return inode;
}

static int isTerminal(int fd) {
  long mask = __fathom_config(FATHOM_CONFIG_TTY);
  return mask > 0 && (mask >> fd & 1);
}

/* One of the standard descriptors. */
static void openStandard(int fd, int inode) {
  int access = fd == 0 ? O_RDONLY : O_WRONLY;
  if (isTerminal(fd)) {
    __fathom_inodes[inode].kind = kTty;
    __fathom_inodes[inode].mode = 0620;
    access = O_RDWR;
  }
  __fathom_setFd(fd, __fathom_newOpenFile(inode, access | O_LARGEFILE), 0);
}

void __fathom_openStandardFiles(byte *input, usize size, usize room, int symbolic) {
  int standardInput;
  if (symbolic || isTerminal(0)) {
    standardInput = __fathom_addDataFile(0, input, size, room);
    __fathom_inodes[standardInput].stream = 1;
  } else {
    struct fathom_path path;
    struct fathom_found found;
    __fathom_makePath("/dev/null", 9, &path);
    standardInput = __fathom_lookup(AT_FDCWD, &path, kFollow, &found) == 0
                        ? found.inode
                        : __fathom_newInode(kNull, 0666);
  }
  openStandard(0, standardInput);
  for (int fd = 1; fd <= 2; fd++) {
    int inode = __fathom_newInode(kStream, 0644);
    __fathom_inodes[inode].stream = (signed char)fd;
    openStandard(fd, inode);
  }
}

void __fathom_filesystemInit(void) {
  makeRoot();
  makeDevices();
  makeWorkingDirectory();
}
