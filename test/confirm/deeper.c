// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops have one round at first, then more, up to the bound: a defect that takes three is found, and an open report says with how many rounds all was explored.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif ONE THREE
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 | FileCheck %s
// CHECK-DAG: possible: use-after-free: ONE
// CHECK-DAG: possible: use-after-free: THREE
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --deeper-time 0 | FileCheck %s --check-prefix=NONE
// NONE: possible: use-after-free: ONE
// NONE: open: use-after-free: THREE
// NONE-NEXT: a loop goes on after 1 round (--loop-bound){{.*}}; with 2 rounds, --deeper-time 0
// NONE-NEXT: would settle it: more time for searches with more rounds (--deeper-time)
#include <stdlib.h>
int one(int *p, const char *text) {
  for (int i = 0; text[i]; i++)
    if (text[i] == 'x') free(p); // ONE: source
  return *p; // ONE
}
int three(int *p, const char *text) {
  int seen = 0;
  for (int i = 0; text[i]; i++)
    if (text[i] == 'x') seen++;
  if (seen == 3) free(p); // THREE: source
  return *p; // THREE
}
int main(int argc, char **argv) {
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = argc;
  return argc > 1 ? one(p, argv[1]) : three(p, argv[0]);
}
