// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Pointers to local variables of a block that has ended, and what looks like it: blocks that are left
// and entered in every way while their variables live.
#include <stdio.h>
#include <unistd.h>

static int block(int c) {
  int *p = 0, outer = 1;
  if (c > 3) {
    int x = c;
    p = &x;
#ifdef FIXED
    p = &outer;
#endif
  }
  return p ? *p : outer; // BUG use-after-free
}
static int leftByBreak(int c) {
  char *p = "none";
  for (int i = 0; i < 3; i++) {
    char text[8] = "some";
    p = text;
    if (c == i) break;
#ifdef FIXED
    p = "none";
#endif
  }
#ifdef FIXED
  p = "none";
#endif
  return p[0]; // BUG use-after-free
}
static int leftByGoto(int c) {
  int *p, zero = 0;
  {
    int a[4] = {c, c, c, c};
    p = a + 1;
    if (c) goto out;
  }
out:
#ifdef FIXED
  p = &zero;
#endif
  p[0] = zero; // BUG use-after-free
  return 0;
}
static void cleaned(int *p) {
  if (*p == 4) puts("four");
}
static int fine(int c) {
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    int a[4], *q = a;
    for (int j = 0; j < 4; j++) a[j] = i * j;
    if (c == 2 && i == 1) goto inside;
    sum += q[i];
    if (c == 5) continue;
    if (c == 6 && i == 2) break;
    if (0) {
      int x;
    inside:
      x = 4;
      q = &x;
      sum += *q;
    }
  }
  {
    int n = 0, *k = &n;
  back:
    (*k)++;
    if (*k < 3) goto back;
    sum += *k;
  }
  switch (c) {
    int z, *last;
  case 1: z = 3; last = &z; // falls through
  case 7:
    if (c == 7) last = &sum;
    sum += *last;
  }
  do {
    int t = sum, *u = &t;
    sum = *u;
  } while (0);
  int __attribute__((cleanup(cleaned))) v = c;
  if (c == 8) {
    int w __attribute__((cleanup(cleaned))) = c, *z = &w;
    return *z + ({
             int inner = 3, *i = &inner;
             *i;
           });
  }
  return sum;
}

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'b': return block(in[1]);
  case 'l': return leftByBreak(in[1]);
  case 'g': return leftByGoto(in[1]);
  case 'o': return fine(in[1]);
  }
  return 0;
}
