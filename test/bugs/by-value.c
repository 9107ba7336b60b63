// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Structures passed by value are read from where they lie.
#include <stdlib.h>
#include <unistd.h>

struct Big {
  long a[5];
};
static long first(struct Big b) { return b.a[0]; }

static long absent(struct Big *p) {
#ifdef FIXED
  static struct Big there;
  p = &there;
#endif
  return first(*p); // BUG null-dereference
}
static long tooShort(void) {
#ifdef FIXED
  struct Big *p = calloc(1, sizeof *p);
#else
  struct Big *p = calloc(1, 8);
#endif
  if (!p) return 0;
  long result = first(*p); // BUG out-of-bounds-read
  free(p);
  return result;
}
static long gone(void) {
  struct Big *p = calloc(1, sizeof *p);
  if (!p) return 0;
#ifdef FIXED
  long result = first(*p);
  free(p);
  return result;
#else
  free(p);
  return first(*p); // BUG use-after-free
#endif
}

int main(void) {
  char which = 0;
  if (read(0, &which, 1) != 1) return 0;
  if (which == 'a') return (int)absent(NULL);
  if (which == 'b') return (int)tooShort();
  if (which == 'c') return (int)gone();
  return 0;
}
