// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %sizes %s %t 3 -- --sym-stdin SIZE
// A length in a buffer that an input of symbolic length fills in part only: where it was read, the block gets it as its size, and no length is lost.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct record {
  unsigned char length;
  char *s;
};

int main(void) {
  unsigned char buffer[3];
  struct record r;
  long n = read(0, buffer, sizeof buffer);
  if (n < 2) return n == 1;
  if (buffer[0] > 12) return 4;
  r.length = buffer[0];
  r.s = malloc((size_t)r.length + 1);
  if (!r.s) return 3;
  for (int i = 0; i < r.length; i++) r.s[i] = (char)(i & 1 ? buffer[1] : 'a');
  r.s[r.length] = 0;
  if (r.length > 4 && r.s[3] == 'x') puts("x");
  if (n == 3) puts("all");
  printf("%d\n", r.length);
  free(r.s);
  return 0;
}
