// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that is computed from the address of another object, as a number added to null or as a distance, points to that object on replay as well.
// RUN: %explore %s %t paths_completed=2 ledger=0 -- --sym-stdin 1
// RUN: %fathom replay %t.program %t.out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: stdout        all 2 agree
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int global[4] = {1, 2, 3, 4};
static short another[2] = {5, 6};
static void *constant = &another;

static void from_null(int local[2]) {
  char *null = 0;
  int *p = (int *)&((char *)0)[(long)&global], *q = (int *)&null[(long)local], *r = (int *)((char *)0 + (long)&global[2]);
  printf("%d %d %d, %d %d %d\n", p == global, q == local, r == global + 2, *p, *q, *r);
  char *aligned = null + (((char *)global + 5 - null + 3) & ~3l); // as obstacks do
  printf("%d\n", (char *)global + 8 == aligned);
}

static void from_another(int local[2]) {
  int *block = malloc(sizeof *block);
  if (!block) exit(2);
  *block = 9;
  long ab = (char *)&another - (char *)&global, bl = (char *)local - (char *)block, gb = (char *)block - (char *)global;
  short *a = (short *)((char *)&global + ab);
  int *l = (int *)((char *)block + bl), *b = (int *)((char *)global + gb);
  printf("%d %d %d, %d %d %d\n", a == another, l == local, b == block, a[1], l[1], *b);
  int *back = (int *)((char *)local - bl);
  printf("%d %d\n", back == block, constant == (char *)&global + ab);
  free(block);
}

int main(void) {
  char c = 0;
  int local[2] = {7, 8};
  read(0, &c, 1);
  from_null(local);
  from_another(local);
  if (c == 'x') return 1;
  return 0;
}
