/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mock_engine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct mockEngine mock = {.uid = -1, .tty = -1, .seed = 'a'};

static void ended(const char *how, int value) {
  if (mock.end) mock.end(how, value);
  fprintf(stderr, "path ended: %s %d\n", how, value);
  _exit(3);
}

static void append(char *text, size_t room, const char *format, const char *a, const char *b) {
  size_t used = strlen(text);
  snprintf(text + used, room - used, format, a, b);
}

/* ---- values ---- */

void __fathom_make_symbolic(void *address, unsigned long size, const char *name) {
  memset(address, 0, size);
  if (!strcmp(name, "n_args"))
    *(unsigned char *)address = 2;
  else
    for (unsigned long i = 0; i < size; i++)
      ((unsigned char *)address)[i] = (unsigned char)(mock.seed + i % 26);
}

void __fathom_assume(int condition) {
  if (!condition) ended("assume", 0);
}
int __fathom_is_symbolic(unsigned long value) { return mock.symbolic && value != 0; }
int __fathom_is_zero(unsigned long value) { return !value; }
unsigned long __fathom_concretize(unsigned long value, const char *why) {
  (void)why;
  mock.forks++;
  return value;
}
unsigned long __fathom_fork_values(unsigned long value, unsigned long from, unsigned long to) {
  mock.forks++;
  if (value < from || value > to) ended("fork_values out of range", (int)value);
  return value;
}
void __fathom_prefer(int condition) { (void)condition; }
void __fathom_print(const char *label, unsigned long value) { (void)label, (void)value; }
void __fathom_say(const char *message) { (void)message; }

/* ---- events ---- */

void __fathom_fault_ends(void);
void __fathom_fault_ends(void) { ended("fault", 0); }

void __fathom_input(int kind, const char *name, const void *data, unsigned long size) {
  char line[64];
  (void)data;
  snprintf(line, sizeof line, "%d %s %lu\n", kind, name, size);
  append(mock.inputs, sizeof mock.inputs, "%s%s", line, "");
}
unsigned long __fathom_sized_input(void *address, unsigned long most, const char *name,
                                   int isText) {
  __fathom_make_symbolic(address, most, name);
  if (isText) ((char *)address)[mock.sizedInput] = 0;
  return mock.sizedInput;
}
void __fathom_set_size(void *address, unsigned long size) { (void)address, (void)size; }
void __fathom_output(int fd, const void *data, unsigned long size) {
  unsigned long *used = &mock.outputSize[fd];
  if (*used + size <= sizeof mock.output[fd]) memcpy(mock.output[fd] + *used, data, size);
  *used += size;
}
void __fathom_missing_file(const char *path, int isAmongOwn) { (void)path, (void)isAmongOwn; }

void __fathom_ledger(const char *category, const char *message) {
  append(mock.ledger, sizeof mock.ledger, "%s: %s\n", category, message);
}
void __fathom_exit(int status) {
  ended("exit", status);
  __builtin_unreachable();
}
void __fathom_killed(int signal) {
  ended("killed", signal);
  __builtin_unreachable();
}
void __fathom_unsupported(const char *message) {
  ended(message, 0);
  __builtin_unreachable();
}
void __fathom_assert_fail(const char *expression, const char *file, unsigned line,
                          const char *function) {
  (void)file, (void)line, (void)function;
  ended(expression, 0);
  __builtin_unreachable();
}
void __fathom_report_bug(const char *kind, const char *message) {
  (void)message;
  ended(kind, 0);
  __builtin_unreachable();
}

/* ---- configuration and memory ---- */

long __fathom_config(int key) {
  switch (key) {
  case FATHOM_CONFIG_INTERPRETED: return 1;
  case FATHOM_CONFIG_UID:
  case FATHOM_CONFIG_GID: return mock.uid;
  case FATHOM_CONFIG_TTY: return mock.tty;
  case FATHOM_CONFIG_SIZED_INPUT: return mock.sizedInput ? 1024 : -1;
  default: return -1;
  }
}
long __fathom_config_string(int key, char *buffer, unsigned long size) {
  const char *text = key == FATHOM_CONFIG_CWD        ? mock.cwd
                     : key == FATHOM_CONFIG_HOST_CWD ? mock.hostCwd
                                                     : 0;
  return text ? snprintf(buffer, size, "%s", text) : -1;
}
void *__fathom_alloc(unsigned long size, const char *name) {
  (void)name;
  return __fathom_map(size ? size : 1); /* zeroed, and can be unmapped */
}
unsigned long __fathom_object_size(const void *address) {
  (void)address;
  return 1ul << 40;
}
void *__fathom_map(unsigned long size) {
  void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? 0 : memory;
}
int __fathom_allocation_fails(void) { return mock.failures && !--mock.failures; }
long __fathom_unmap(void *address, unsigned long size) {
  return munmap(address, size) ? -errno : 0;
}

/* ---- the host's files ---- */

static const char *hostPath(const char *path, char *out) {
  if (mock.hostCwd && !strncmp(path, mock.hostCwd, strlen(mock.hostCwd))) return path;
  snprintf(out, PATH_MAX, "%s%s", mock.hostRoot ? mock.hostRoot : "/nonexistent", path);
  return out;
}
long __fathom_host_stat(const char *path, int follow, struct fathom_host_stat *out) {
  char full[PATH_MAX];
  struct stat info;
  if ((follow ? stat : lstat)(hostPath(path, full), &info)) return -errno;
  out->ino = info.st_ino;
  out->size = (unsigned long)info.st_size;
  out->mode = info.st_mode;
  out->nlink = info.st_nlink;
  out->mtime_sec = (unsigned long)info.st_mtime;
  out->uid = info.st_uid;
  out->gid = info.st_gid;
  return 0;
}
long __fathom_host_read(const char *path, unsigned long offset, void *buffer, unsigned long size) {
  char full[PATH_MAX];
  int fd = open(hostPath(path, full), O_RDONLY);
  if (fd < 0) return -errno;
  long got = pread(fd, buffer, size, (off_t)offset);
  close(fd);
  return got;
}
long __fathom_host_dirent(const char *path, unsigned long index, char *name, unsigned long size) {
  char full[PATH_MAX];
  struct dirent **list;
  int count = scandir(hostPath(path, full), &list, 0, alphasort);
  if (count < 0) return -errno;
  long length = 0;
  for (int i = 0, n = 0; i < count; i++) {
    int dots = !strcmp(list[i]->d_name, ".") || !strcmp(list[i]->d_name, "..");
    if (!dots && n++ == (int)index) length = snprintf(name, size, "%s", list[i]->d_name);
    free(list[i]);
  }
  free(list);
  return length;
}
long __fathom_host_readlink(const char *path, char *buffer, unsigned long size) {
  char full[PATH_MAX];
  long length = readlink(hostPath(path, full), buffer, size);
  return length < 0 ? -errno : length;
}

/* ---- start ---- */

void _start_c(long *stack) {
  mock.start(stack);
  ended("returned", 0);
}

void mockRun(char *const *arguments) {
  long stack[64];
  int at = 1;
  for (int i = 0; arguments[i]; i++) stack[at++] = (long)arguments[i];
  stack[0] = at - 1;
  stack[at++] = 0;
  stack[at++] = (long)"LANG=C";
  stack[at++] = 0;
  stack[at++] = 0;
  stack[at++] = 0;
  __fathom_entry(stack);
}
