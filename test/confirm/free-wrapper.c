// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fathom scan names the call of a function that only frees its argument. A path is from there when that call freed the object, and a verdict
// from another source names the other call, not the free that all calls share.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %fathom-cc -g %s -o p
// RUN: %fathom scan --all p --kinds use-after-free,double-free --sarif scan.sarif | FileCheck %s --check-prefix=SCAN
// RUN: %fathom confirm p --reports scan.sarif --callers-time 0 --no-cache | FileCheck %s
// RUN: python3 %S/Inputs/report.py %s use-after-free other.sarif "TAKEN=release frees the memory"
// RUN: %fathom confirm p --reports other.sarif --callers-time 0 --no-cache | FileCheck %s --check-prefix=OTHER
#include <errno.h>
#include <stdlib.h>

static void release(void *p) {
  int saved = errno;
  free(p);
  errno = saved;
}

int taken(int mode) {
  int *p = malloc(sizeof(int));
  if (!p) return 0;
  *p = 1;
  if (mode == 4)
    release(p);
  if (mode > 3) return *p; // TAKEN
  release(p); // TAKEN: source
  return 0;
}
// SCAN-DAG: use-after-free: freed memory is read; it was freed at free-wrapper.c:[[# @LINE - 5]]
// CHECK-DAG: possible: use-after-free: freed memory is read; it was freed at free-wrapper.c:[[# @LINE - 6]]
// CHECK-NOT: from another source
// OTHER: possible: use-after-free: TAKEN
// OTHER: from another source: the object is freed at free-wrapper.c:[[# @LINE - 9]], not at free-wrapper.c:[[# @LINE - 7]]

void twice(int mode) {
  int *p = malloc(sizeof(int));
  release(p);
  if (mode > 3)
    release(p);
}
// SCAN-DAG: free-wrapper.c:[[# @LINE - 2]]:{{[0-9]+}}: double-free: the memory is freed again; it was freed at free-wrapper.c:[[# @LINE - 4]]
// CHECK-DAG: possible: double-free: the memory is freed again; it was freed at free-wrapper.c:[[# @LINE - 5]]

int main(int argc, char **argv) {
  twice(argc);
  return taken(argc);
}
