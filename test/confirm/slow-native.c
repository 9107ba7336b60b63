// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A native program that does not end takes nothing of a search's time: its input is shown, and what is left open is asked again, for
// as long as the next round gives it.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free r.sarif USED FAR
// RUN: %fathom confirm p --reports r.sarif --no-cache --report-time 60s --rounds 2 -- --sym-arg 1 > out.txt
// RUN: FileCheck %s < out.txt
// CHECK: confirmed: use-after-free: USED
// An end of its own: ten seconds.
// CHECK-NEXT: feasible from main with an input, without a symptom natively: no end after 10 s
// CHECK: open: use-after-free: FAR
// CHECK-NEXT: its part of the time for all reports ran out, 2 s (--rounds)
// CHECK-NEXT: would settle it: more rounds (--rounds): the same command continues
// Where there is less time for all than that, the input is shown without a native run.
// RUN: python3 %S/Inputs/report.py p.c use-after-free used.sarif USED
// RUN: %fathom confirm p --reports used.sarif --no-cache --max-time 6s -- --sym-arg 1 | FileCheck %s --check-prefix=SHORT
// SHORT: feasible from main with an input, not run natively
#include <stdlib.h>
#include <unistd.h>
static unsigned sumOf(const char *text) {
  unsigned sum = 0;
  for (int i = 0; i < 400; i++)
    if (text[i] > 'a') sum = sum * 31 + i;
  return sum;
}
int far(const char *text) {
  int *p = malloc(4);
  if (!p) return 0;
  *p = 1;
  if (sumOf(text) == 123456789) free(p); // FAR: source
  return *p; // FAR
}
int main(int argc, char **argv) {
  int *p = malloc(4);
  if (!p || argc < 2) return 0;
  *p = 1;
  if (argv[1][0] == 'x') free(p); // USED: source
  int is = *p; // USED
  for (;;) pause();
  return is + far(argv[0]);
}
