// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize memory
// Branches on memory that was never written: a local, a heap block, a field, part of an array.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pair {
  int set, unset;
};

static int local(int c) {
  int x;
#ifdef FIXED
  x = 0;
#endif
  if (c == 'y')
    x = 1;
  if (x) // BUG uninitialized-read
    return 1;
  return 2;
}
static int heap(int c) {
  int *p = malloc(2 * sizeof *p);
  p[0] = c;
#ifdef FIXED
  p[1] = c;
#endif
  int r = 0;
  if (p[c & 1] > 3) // BUG uninitialized-read
    r = 1;
  free(p);
  return r;
}
static int field(int c) {
  struct pair p;
  p.set = c;
#ifdef FIXED
  p.unset = 0;
#endif
  struct pair copy = p; // copying is fine
  if (copy.set == 9)
    if (copy.unset == 0) // BUG uninitialized-read
      return 1;
  return 0;
}
static int fine(int c) {
  char buffer[8];
  memset(buffer, 0, 4);
  int unused;
  (void)unused;
  struct pair p;
  p.set = 1;
  struct pair q = p;
  return buffer[c & 3] == 0 && q.set;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'l': return local(in[1]);
  case 'h': return heap(in[1]);
  case 'f': return field(in[1]);
  case 'o': return fine(in[1]);
  }
  return 0;
}
