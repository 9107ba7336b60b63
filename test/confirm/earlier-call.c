// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that runs several times: an earlier call may have been at the report's source, and what it left behind makes a later one fail. So paths that
// miss the source refute nothing, nor do callers that run several times themselves.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %fathom-cc -g %s -o p
// RUN: python3 %S/Inputs/report.py %s use-after-free use.sarif "KEPT=free frees the memory" "BOX=free frees the memory"
// RUN: python3 %S/Inputs/report.py %s use-after-free unnamed.sarif PARTED
// RUN: python3 %S/Inputs/report.py %s null-dereference null.sarif "TABLE=get may return null"
// RUN: %fathom confirm p --reports use.sarif --reports null.sarif --callers-time 0 --no-cache | FileCheck %s --check-prefix=ALONE
// RUN: %fathom confirm p --reports use.sarif --reports unnamed.sarif --no-cache | FileCheck %s
#include <stdlib.h>

static int *kept;
static int toggle(int mode) {
  if (mode) {
    int *p = malloc(sizeof(int));
    if (!p) return 0;
    kept = p;
    free(p); // KEPT: source
    return 1;
  }
  return *kept; // KEPT
}
// CHECK: confirmed: use-after-free: KEPT
// CHECK-NEXT: feasible from main

static int *box;
static int step(int mode) {
  if (mode) {
    free(box); // BOX: source
    return 1;
  }
  return *box; // BOX
}
static int outer(int mode) { return step(mode); }
// CHECK: confirmed: use-after-free: BOX
// CHECK-NEXT: feasible from main

// The function shows it by itself, but not in one call of its caller. Every source counts.
static int parted(int frees, int late) {
  if (frees)
    free(box); // PARTED: source
  if (!late) return 0;
  return *box; // PARTED
}
static int either(int m) { return m ? parted(1, 0) : parted(0, 1); }
// CHECK: confirmed: use-after-free: PARTED
// CHECK-NEXT: feasible from main

// Which of the two calls in one line gives null is not told apart where one goes through a pointer.
static int value = 1, *(*get)(int *);
static int *find(int k) { return k ? &value : &value - 1; }
static int *mayFail(int *p) { return p == &value ? p : NULL; }
static int through(int k) {
  int *p = get(find(k)); // TABLE: source
  return *p; // TABLE
}
// ALONE: possible: null-dereference: TABLE
// ALONE-NEXT: feasible from
// ALONE-NOT: from another source
// ALONE: read of 4 bytes
// ALONE: open: use-after-free: KEPT
// ALONE-NEXT: no path of a single call of toggle shows it; whether earlier calls make one possible is open: {{.*}}(--callers-time)
// ALONE: open: use-after-free: BOX

int main(int argc, char **argv) {
  get = mayFail;
  if (argc == 1) return toggle(1) + toggle(0);
  if (argc == 3) return through(argv[1][0] == 'a');
  box = malloc(sizeof(int));
  if (!box) return 1;
  *box = 1;
  if (argc == 2) return outer(1) + outer(0);
  return either(1) + either(0);
}
