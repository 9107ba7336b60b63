// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would settle an open report is told, and not that the reason says it; where nothing would, that is said. No option is named that confirm does not have.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference p.sarif OFFSET INITIAL
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 | FileCheck %s
// CHECK: open: null-dereference: OFFSET
// CHECK-NEXT: an offset that ranges over more than 4096 bytes at {{.*}}p.c:[[#]] in
// CHECK-NEXT: would settle it: nothing today: one of the possible values was tried here, and no option of confirm tries the others
// CHECK: open: null-dereference: INITIAL
// CHECK-NEXT: variable large of 196608 bytes keeps its initial value{{$}}
// CHECK-NEXT: would settle it: the code of callers
// A parameter has its own name in what takes the path, also where a variable of the program has the same.
// RUN: python3 %S/Inputs/report.py p.c null-dereference q.sarif SAME
// RUN: %fathom confirm p --reports q.sarif --no-cache --callers-time 0 | FileCheck %s --check-prefix=NAMES
// NAMES: possible: null-dereference: SAME
// NAMES: where {{.*}}op = 7
// NAMES-NOT: op_1
#include <stddef.h>
static unsigned char wide[20000];
static int large[49152];
int op;

int offset(unsigned at) {
  int *p = NULL, one = 1;
  if (at >= sizeof wide || wide[at] == 0)
    p = &one;
  return *p; // OFFSET
}
int initial(unsigned at) {
  int *p = NULL, one = 1;
  if (large[at & 7] == 0)
    p = &one;
  return *p; // INITIAL
}
int same(int op) {
  int *p = NULL, one = 1;
  if (op != 7)
    p = &one;
  return *p; // SAME
}
int main(int argc, char **argv) {
  (void)argv;
  wide[argc] = large[argc] = (unsigned char)op;
  op = argc;
  return offset((unsigned)argc) + initial((unsigned)argc) + same(argc);
}
