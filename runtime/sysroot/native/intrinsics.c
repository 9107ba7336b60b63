/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The intrinsics of fathom/abi.h when a program runs natively: replay of a test, and nothing else.
 *
 * Only system calls and getenv are used: whatever else of libc this file called would become part
 * of every program's bitcode.
 */
#include "fathom/abi.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define CALL(number, a, b, c) __fathom_syscall((number), (long)(a), (long)(b), (long)(c), 0, 0, 0)

static unsigned long length(const char *s) {
  unsigned long n = 0;
  while (s[n]) n++;
  return n;
}

static void print(const char *text) { CALL(SYS_write, 2, text, length(text)); }

static void printNumber(unsigned value) {
  char digits[12], *p = digits + sizeof digits;
  *--p = 0;
  do *--p = '0' + value % 10;
  while (value /= 10);
  print(p);
}

/* A test in KLEE's format: "KTEST", version, the arguments, two words for symbolic argv (since
 * version 2), and the objects: name, bytes. All numbers are 32 bits, big endian. */
static struct {
  const unsigned char *objects, *end; /* the objects not yet handed out */
  int loaded;
} test;

static int readNumber(const unsigned char **at, unsigned *value) {
  if (test.end - *at < 4) return 0;
  const unsigned char *p = *at;
  *value = (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
  *at += 4;
  return 1;
}

/* A 32 bit length and that many bytes. */
static int readBlock(const unsigned char **at, const unsigned char **data, unsigned *size) {
  if (!readNumber(at, size) || (unsigned long)(test.end - *at) < *size) return 0;
  *data = *at;
  *at += *size;
  return 1;
}

static void badTest(const char *path) {
  print("fathom: not a test in ktest format: ");
  print(path);
  print("\n");
  CALL(SYS_exit_group, 2, 0, 0);
}

/* Past __fathom_syscall, which would number this among the mappings that the program asks for: one
 * of those may be to fail (--fail-allocations). */
static long mapFile(long fd, long size) {
  register long flags __asm__("r10") = MAP_PRIVATE, file __asm__("r8") = fd,
                      offset __asm__("r9") = 0;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_mmap), "D"(0), "S"(size), "d"(PROT_READ), "r"(flags), "r"(file),
                     "r"(offset)
                   : "rcx", "r11", "memory");
  return result;
}

static void loadTest(void) {
  if (test.loaded) return;
  test.loaded = 1;
  const char *path = getenv("FATHOM_REPLAY_KTEST");
  if (!path) return;
  long fd = CALL(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
  struct stat info;
  if (fd < 0 || CALL(SYS_fstat, fd, &info, 0) < 0) badTest(path);
  long map = mapFile(fd, info.st_size);
  CALL(SYS_close, fd, 0, 0);
  if (map < 0 && map > -4096) badTest(path);

  const unsigned char *at = (const unsigned char *)map, *data;
  test.end = at + info.st_size;
  unsigned version, count, size, symbolicArgv;
  if (info.st_size < 5 || at[0] != 'K' || at[1] != 'T' || at[2] != 'E' || at[3] != 'S' ||
      at[4] != 'T')
    badTest(path);
  at += 5;
  if (!readNumber(&at, &version) || !readNumber(&at, &count)) badTest(path);
  while (count--)
    if (!readBlock(&at, &data, &size)) badTest(path);
  if (version >= 2 && (!readNumber(&at, &symbolicArgv) || !readNumber(&at, &symbolicArgv)))
    badTest(path);
  if (!readNumber(&at, &count)) badTest(path);
  test.objects = at;
}

/* The engine keeps as much of a name. */
enum { kMostName = 4096 };

/* Is it this name, or this name made unique (name_1, name_2, ...)? */
static int isNamed(const char *name, const unsigned char *data, unsigned size) {
  unsigned i = 0;
  for (; i < size && i < kMostName && name[i]; i++)
    if (data[i] != (unsigned char)name[i]) return 0;
  if (i < kMostName && name[i]) return 0;
  if (i == size) return 1;
  if (data[i++] != '_' || i == size) return 0;
  for (; i < size; i++)
    if (data[i] < '0' || data[i] > '9') return 0;
  return 1;
}

/* Objects are handed out in order. Those of another name are inputs of another kind (arguments,
 * files), which the program is given in their natural form. */
void __fathom_make_symbolic(void *address, unsigned long size, const char *name) {
  loadTest();
  if (!name) name = "unnamed"; /* as the engine calls it */
  unsigned char *to = address;
  const unsigned char *at = test.objects, *objectName, *data;
  unsigned nameSize, dataSize;
  unsigned long copied = 0;
  while (at && at < test.end && readBlock(&at, &objectName, &nameSize) &&
         readBlock(&at, &data, &dataSize)) {
    if (nameSize && !objectName[nameSize - 1]) nameSize--; /* names may be stored with their 0 */
    if (!isNamed(name, objectName, nameSize)) continue;
    for (; copied < size && copied < dataSize; copied++) to[copied] = data[copied];
    test.objects = at;
    break;
  }
  for (; copied < size; copied++) to[copied] = 0;
}

void __fathom_assume(int condition) {
  if (!condition) CALL(SYS_exit_group, 0, 0, 0);
}

void __fathom_assert_fail(const char *expression, const char *file, unsigned line,
                          const char *function) {
  print("Assertion failed: ");
  print(expression);
  print(" (");
  print(file);
  print(": ");
  print(function);
  print(": ");
  printNumber(line);
  print(")\n");
  abort();
}

static void report(const char *what, const char *message) {
  print("fathom: ");
  print(what);
  print(": ");
  print(message);
  print("\n");
}

void __fathom_report_bug(const char *kind, const char *message) {
  report(kind, message);
  abort();
}

void __fathom_unsupported(const char *message) {
  report("unsupported", message);
  abort();
}

void __fathom_ledger(const char *category, const char *message) { (void)category, (void)message; }

int __fathom_is_symbolic(unsigned long value) {
  (void)value;
  return 0;
}

int __fathom_is_zero(unsigned long value) { return !value; }

unsigned long __fathom_concretize(unsigned long value, const char *why) {
  (void)why;
  return value;
}

unsigned long __fathom_fork_values(unsigned long value, unsigned long from, unsigned long to) {
  (void)from, (void)to;
  return value;
}
