// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report that only a failing allocation makes true says which, in the first line.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference p.sarif NULL
// RUN: %fathom confirm p --reports p.sarif --no-cache -o out | FileCheck %s
// CHECK: confirmed: null-dereference: NULL
// CHECK-NEXT: feasible from main with an input, if the allocation at p.c:[[#FAILS:]] fails (out/bugs/000001), natively reproduced: signal SIGSEGV
// CHECK: allocation fails in reserve at {{.*}}p.c:[[#FAILS]]:
// CHECK: called from main at {{.*}}p.c
#include <stdlib.h>
static char *reserve(size_t size) {
  return malloc(size);
}
int main(int argc, char **argv) {
  char *first = malloc(16);
  if (!first) return 1;
  char *second = reserve(16); // NULL: source
  second[0] = argv[argc - 1][0]; // NULL
  free(first);
  free(second);
  return 0;
}
