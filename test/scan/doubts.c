// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With too many ways through a function, what its branches say does not count: a report has a doubt then, and comes after others.
// Another report from the same place, for whose way they count, has none.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --no-cache --kinds use-after-free,null-dereference,leak,uninitialized-read --json > %t.json
// RUN: python3 -c "import json; [print(r['function'], r['kind'], r['doubts']) for r in json.load(open('%t.json'))['reports']]" > %t.out
// RUN: FileCheck %s < %t.out
// CHECK: fewBad use-after-free 0
// CHECK-NEXT: manyWays use-after-free 1
// CHECK-NEXT: manyWays null-dereference 1
// CHECK-NEXT: fewBad leak 0
// CHECK-NEXT: manyWays leak 1
// CHECK-NEXT: manyWays leak 1
// CHECK-NEXT: lateBad uninitialized-read 0
// CHECK-NEXT: lateBad uninitialized-read 1
#include <stdio.h>
#include <stdlib.h>

#define TWICE(flag) if (flag) sum += getchar();
#define OTHERS TWICE(b) TWICE(c) TWICE(d) TWICE(e) TWICE(f) TWICE(g) TWICE(h) TWICE(i) TWICE(j) TWICE(k)
#define ALL TWICE(a) OTHERS

// Nothing is wrong here: all branches on `how` go the same way.
static int manyWays(int how, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) {
  int sum = 0;
  char *p = malloc(3), *kept = malloc(4);
  int *q = NULL;
  if (!p || !kept) exit(1);
  p[0] = 1;
  if (how) {
    free(p);
    q = &sum;
  }
  ALL ALL
  if (!how) {
    sum += p[0];
    free(p);
  }
  if (how) sum += *q;
  if (how) free(kept);
  if (!how) free(kept);
  return sum;
}

static int fewBad(int how) {
  char *p = malloc(3), *lost = malloc(4);
  if (!p || !lost) exit(1);
  p[0] = 1;
  if (how) free(p);
  int result = p[0];
  if (!how) free(p);
  if (how) free(lost);
  return result;
}

// Only the second use is one.
static int lateBad(int how, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) {
  int sum = 0, x;
  if (how) x = 1;
  if (a == 0) {
    OTHERS OTHERS
    if (a) printf("%d", x);
    return sum;
  }
  printf("%d", x);
  return 1;
}

int main(int argc, char **argv) {
  int sum = fewBad(argc) + lateBad(argc > 1, argc > 2, argc > 3, argc > 4, argc > 5, argc > 6, argc > 7, argc > 8, argc > 9, argc > 10, argc > 11,
                                   argc > 12);
  return sum + manyWays(argc > 1, argc > 2, argc > 3, argc > 4, argc > 5, argc > 6, argc > 7, argc > 8, argc > 9, argc > 10, argc > 11,
                                 argc > 12);
}
