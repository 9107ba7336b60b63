// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The path of a confirmed report, with source lines and carets: where each branch goes on, rounds of a loop once, and the calls at its end.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cp %s %t.dir/p.c && cd %t.dir && %fathom-cc -g p.c -o p
// RUN: %fathom scan --all %t.dir/p --kinds null-dereference --sarif %t.dir/r.sarif -q --no-cache
// RUN: %fathom confirm %t.dir/p --reports %t.dir/r.sarif --callers-time 0 --no-cache --sarif %t.dir/out.sarif | FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:p.c:36:14: possible: null-dereference: the null pointer is dereferenced
// CHECK-NEXT:    feasible from pick{{.*}}
// CHECK-NEXT:    read of 4 bytes through a null pointer (address 0x0)
// CHECK-NEXT:    where *q = {{[0-9]+}}, k = 7, q = 0x{{[0-9a-f]+}}
// CHECK-NEXT:    assumed: k, q, the program's variables can have any value; a pointer among them that the path uses is valid, and points to an object of its own
// CHECK-NEXT:      1. continues at line 31, 3 times, in pick
// CHECK-NEXT:         30 |   for (int i = 0; i < 3; i++)
// CHECK-NEXT:            |   ^
// CHECK-NEXT:      2. continues at line 32, in pick
// CHECK-NEXT:         30 |   for (int i = 0; i < 3; i++)
// CHECK-NEXT:            |   ^
// CHECK-NEXT:      3. continues at line 35, in pick
// CHECK-NEXT:         32 |   switch (k) {
// CHECK-NEXT:            |   ^
// CHECK-NEXT:      4. continues on the same line, at column 14, in pick
// CHECK-NEXT:         35 |     if (q && *q > 3)
//      CHECK:      in pick at p.c:36:14
// CHECK-NEXT:         36 |       return *p;
// CHECK-NEXT:            |              ^
// RUN: grep -c "continues at line 35" %t.dir/out.sarif
#include <stdlib.h>
int pick(int k, int *q) {
  int *p = NULL;
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += i * k;
  switch (k) {
  case 1: p = q; break;
  case 7:
    if (q && *q > 3)
      return *p;
  }
  return sum;
}
int main(int argc, char **argv) { return pick(argc, &argc); }
