// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line `where` of a confirmed report: what decides the path, the nearest to the sink first, and not all that is unknown where it begins.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference r.sarif DEEP NAMED
// RUN: python3 %S/Inputs/report.py p.c division-by-zero zero.sarif ZERO
// RUN: %fathom confirm p --reports r.sarif --reports zero.sarif --callers-time 0 --no-cache --sarif out.sarif | FileCheck %s
// RUN: grep -q "a path that shows it, where n = 77, \*r at 80 = 9" out.sarif
#include <stdlib.h>
#include <string.h>
struct record { int unused[20]; int kind; };
int deep(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, const struct record *r, int n) {
  int *p = &n;
  if (r->kind != 9) return a + b + c + d + e + f + g + h + i + j + k + l;
  if (n == 77)
    p = NULL;
  return *p; // DEEP
}
// CHECK: possible: null-dereference: DEEP
// CHECK: {{^}}    where n = 77, *r at 80 = 9, r = 0x{{[0-9a-f]+}}; 12 other values seem not to matter{{$}}

// What libc decides for a call counts there.
int named(int a, int b, int c, const char *name) {
  int *p = &a;
  int differs = strcmp(name, "ab");
  if (!differs)
    p = NULL;
  return *p + b + c; // NAMED
}
// CHECK: possible: null-dereference: NAMED
// CHECK: {{^}}    where *name = "ab", name = 0x{{[0-9a-f]+}}; 3 other values seem not to matter{{$}}

// The sink itself asks.
int zero(int a, int b, int c, int n) {
  if (b > 3)
    return a;
  return c / n; // ZERO
}
// CHECK: possible: division-by-zero: ZERO
// CHECK: {{^}}    where n = 0, b = {{-?[0-9]+}}; 2 other values seem not to matter{{$}}
int main(int argc, char **argv) {
  struct record r = {{0}, argc};
  return deep(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, &r, argc) + named(1, 2, 3, argv[0]) + zero(1, 2, 3, argc);
}
