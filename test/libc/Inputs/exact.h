/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Heap objects of exactly the size that a function may touch, with symbolic contents: a libc function that reads a word too far
 * is seen. Nothing in these tests is a bug of the program, so every report is a false alarm.
 */
#include <fathom.h>
#include <stdlib.h>
#include <string.h>

/* A string of at most length bytes; the terminator is the object's last byte. */
static char *text(size_t length, const char *name) {
  char *p = malloc(length + 1);
  fathom_symbolic(p, length, name);
  p[length] = 0;
  return p;
}
/* size bytes without a terminator. */
static void *block(size_t size, const char *name) {
  void *p = malloc(size);
  fathom_symbolic(p, size, name);
  return p;
}
static void *room(size_t size) { return malloc(size); }
