// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A native run that crashed is no answer: its verdict is not kept, and another run asks again. Searches end before the time at which the process is killed.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free r.sarif USED
// RUN: env FATHOM_CACHE=%t.dir/cache python3 %S/Inputs/crashed.py --after 5 %bindir/fathom confirm p --reports r.sarif --report-time 3s -- --sym-arg 1 | FileCheck %s
// CHECK: confirmed: use-after-free: USED
// CHECK-NEXT: feasible from main with an input, not run natively{{$}}
// RUN: env FATHOM_CACHE=%t.dir/cache %fathom confirm p --reports r.sarif --report-time 3s --json -q -- --sym-arg 1 > again.json
// RUN: FileCheck %s --check-prefix=AGAIN < again.json
// AGAIN: "asked":1,{{.*}}"kept":0
// What the program did is one.
// RUN: env FATHOM_CACHE=%t.dir/cache %fathom confirm p --reports r.sarif --report-time 3s --json -q -- --sym-arg 1 | FileCheck %s --check-prefix=KEPT
// KEPT: "asked":0,{{.*}}"kept":1
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int *p = malloc(4);
  if (!p || argc < 2) return 0;
  *p = 1;
  if (argv[1][0] == 'x') free(p); // USED: source
  int is = *p; // USED
  for (;;) pause();
  return is;
}
