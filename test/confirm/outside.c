// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the system answers is fixed in a search: the time, the environment, which files there are. A report that may hang on it is not refuted.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif RANDOM VARIABLE EXISTS NOTHING
// RUN: %fathom confirm p --reports p.sarif --no-cache --calls step-in --no-slice | FileCheck %s
// CHECK: open: use-after-free: RANDOM
// CHECK-NEXT: clock_gettime says of the time
// CHECK: open: use-after-free: VARIABLE
// CHECK-NEXT: getenv says of the environment
// CHECK: open: use-after-free: EXISTS
// CHECK-NEXT: access says of the files
// The twin asks nobody.
// CHECK: refuted: use-after-free: NOTHING
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) static int chance(void) {
  char *p = calloc(1, 10);
  if (!p) return 0;
  srand((unsigned)time(NULL));
  if (rand() % 2) free(p); // RANDOM: source
  return p[0]; // RANDOM
}
__attribute__((noinline)) static int variable(void) {
  char *p = calloc(1, 10);
  if (!p) return 0;
  if (getenv("FREES_IT")) free(p); // VARIABLE: source
  return p[0]; // VARIABLE
}
__attribute__((noinline)) static int exists(void) {
  char *p = calloc(1, 10);
  if (!p) return 0;
  if (access("here-is-a-file", F_OK) == 0) free(p); // EXISTS: source
  return p[0]; // EXISTS
}
__attribute__((noinline)) static int nothing(int argc) {
  char *p = calloc(1, 10);
  if (!p) return 0;
  if (argc > 1) free(p); // NOTHING: source
  return argc > 1 ? 0 : p[0]; // NOTHING
}
int main(int argc, char **argv) { return chance() + variable() + exists() + nothing(argc); }
