// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  unsigned n = argc > 1 ? atoi(argv[1]) : 1000;
  static unsigned a[1024];
  unsigned sum = 0;
  for (unsigned r = 0; r < n; r++)
    for (unsigned i = 0; i < 1024; i++) {
      a[i] = a[i] * 1664525u + 1013904223u + i;
      sum ^= a[i] >> (i & 7);
      if (sum & 1) sum += r;
    }
  printf("%u\n", sum);
  return 0;
}
