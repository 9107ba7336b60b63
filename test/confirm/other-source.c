// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report means its source: paths that come to the same sink from another one are no answer while there may be one from there, and are told apart when there is none.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %fathom-cc -g %s -o p
// RUN: python3 %S/Inputs/report.py %s null-dereference null.sarif "FAILS=malloc may return null" "CHECKED=malloc may return null" "GUARDED=malloc may return null" "CHOSEN=null is stored"
// RUN: python3 %S/Inputs/report.py %s use-after-free use.sarif "LATE=free frees the memory" "NEVER=free frees the memory"
// RUN: python3 %S/Inputs/report.py %s double-free twice.sarif "AGAIN=free frees the memory" "FIRST=free frees the memory"
// RUN: %fathom confirm p --reports null.sarif --reports use.sarif --reports twice.sarif --callers-time 0 --no-cache --sarif out.sarif | FileCheck %s
// RUN: %fathom confirm p --reports null.sarif --callers-time 0 --no-cache --json -q | FileCheck %s --check-prefix=JSON
// RUN: %fathom confirm p --reports null.sarif --callers-time 0 --no-cache --other-source-time 0 | FileCheck %s --check-prefix=ALONE
// ALONE: refuted: null-dereference: CHECKED
// ALONE-NEXT: shows it; other sources were not ruled out
#include <stdlib.h>
// Null for a bad argument comes first in the code; the report means the other null.
static int *get(int k) {
  if (k < 0) return NULL;
  return malloc(sizeof(int)); // FAILS: source
}
int fails(int k) {
  int *p = get(k);
  return *p; // FAILS
}
// CHECK: possible: null-dereference: FAILS
// CHECK-NEXT: feasible from fails
// CHECK-NEXT: read of 4 bytes through a null pointer
// JSON: "message":"FAILS"
// JSON-NOT: other_source

// What malloc gave is checked.
static int *checked(int k) {
  int *p = malloc(sizeof(int)); // CHECKED: source
  if (!p) abort();
  if (k < 0) {
    free(p);
    return NULL;
  }
  return p;
}
int uses_checked(int k) {
  int *p = checked(k);
  return *p; // CHECKED
}
// CHECK: possible: null-dereference: CHECKED
// CHECK-NEXT: feasible from uses_checked
// CHECK-NEXT: from another source: malloc at other-source.c:[[# @LINE - 14]] does not return null on this path; the last call that does is checked at other-source.c:[[# @LINE - 5]]; no path from the reported source shows it
// CHECK-NEXT: read of 4 bytes through a null pointer
// JSON: "message":"CHECKED"{{.*}}"other_source":"malloc at other-source.c:

// Neither.
int guarded(int k) {
  int *p = malloc(sizeof(int)); // GUARDED: source
  if (!p) return k;
  return *p; // GUARDED
}

int chosen(int k, int *q) {
  int *r = q, *p[1];
  if (!q) return 0;
  p[0] = r;
  if (k == 1) p[0] = (int *)(long)(k - 1);
  if (k > 1 && k < 1)
    p[0] = NULL; // CHOSEN: source
  return *p[0]; // CHOSEN
}
// CHECK: possible: null-dereference: CHOSEN
// CHECK-NEXT: feasible from chosen
// CHECK-NEXT: from another source: the path does not pass other-source.c:[[# @LINE - 5]]; no path from the reported source shows it

int late(int k) {
  int *p = malloc(sizeof(int));
  if (!p) return 0;
  *p = k;
  if (k == 1) free(p);
  if (k == 2)
    free(p); // LATE: source
  return *p; // LATE
}
// CHECK: possible: use-after-free: LATE
// CHECK-NEXT: feasible from late
// CHECK-NEXT: read of 4 bytes at offset 0
// CHECK: freed in late at {{.*}}other-source.c:[[# @LINE - 6]]

int never(int k) {
  int *p = malloc(sizeof(int));
  if (!p) return 0;
  *p = k;
  if (k == 1) free(p);
  if (k > 2 && k < 2)
    free(p); // NEVER: source
  return *p; // NEVER
}
// CHECK: possible: use-after-free: NEVER
// CHECK-NEXT: feasible from never
// CHECK-NEXT: from another source: the object is freed at other-source.c:[[# @LINE - 7]], not at other-source.c:[[# @LINE - 5]]; no path from the reported source shows it

void again(int k) {
  void *p = malloc(1);
  if (k == 1) free(p);
  if (k == 2)
    free(p); // AGAIN: source
  free(p); // AGAIN
}
// CHECK: possible: double-free: AGAIN
// CHECK-NEXT: feasible from again
// CHECK-NEXT: free of a 1-byte heap object that was already freed

void first(int k) {
  void *p = malloc(1);
  if (k == 1) free(p);
  if (k > 2 && k < 2)
    free(p); // FIRST: source
  free(p); // FIRST
}
// CHECK: possible: double-free: FIRST
// CHECK-NEXT: feasible from first
// CHECK-NEXT: from another source: the object is freed at other-source.c:[[# @LINE - 7]]
// CHECK: refuted: null-dereference: GUARDED
// CHECK: 8 reports: 0 confirmed, 7 possible, 1 refuted, 0 open
int main(int argc, char **argv) {
  again(argc), first(argc);
  return fails(argc) + uses_checked(argc) + guarded(argc) + chosen(argc, &argc) + late(argc) + never(argc);
}
