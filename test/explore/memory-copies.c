// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// memcpy, memmove and memset of concrete sizes over symbolic bytes, structures by value, unions.
enum { SIZE = 4, LIMIT = 4 };
#define BYTES_BELOW
#include "oracle.h"

struct pair {
  unsigned char a, b;
  short wide;
};
union view {
  struct pair p;
  unsigned whole;
};
static struct pair flip(struct pair p) { return (struct pair){p.b, p.a, (short)-p.wide}; }

static int program(const unsigned char *in) {
  unsigned char buffer[8];
  memset(buffer, in[0], 8);
  memcpy(buffer + 2, in, 4);
  memmove(buffer + 1, buffer + 2, 5);
  union view v;
  memcpy(&v, buffer + 1, sizeof v);
  v.p = flip(v.p);
  int r = 0;
  if (v.whole & 1)
    r |= 1;
  if (v.p.wide < -300)
    r |= 2;
  if (v.p.a == buffer[7])
    r |= 4;
  if (buffer[0] == buffer[4])
    r |= 8;
  return r;
}
