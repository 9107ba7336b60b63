// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call returns that was left out may be anything, and with it a path may seem to end by an earlier defect. That is none of the program:
// the search is repeated with everything executed.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s null-dereference r.sarif NEVER LATER
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 0 --json -q > said.json
// RUN: python3 %S/Inputs/verdicts.py said.json NEVER=refuted LATER=possible
#include <stdlib.h>
static int small(const char *text) {
  int n = 0;
  while (text[n] && n < 3) n++;
  return n;
}
static int never(const char *text, int k) {
  char marks[4] = {0};
  marks[small(text)] = 1; // never outside
  int *p = &k;
  if (k > 3 && k < 3) p = NULL; // NEVER: source
  return *p + marks[0]; // NEVER
}
static int later(const char *text, int k) {
  char marks[4] = {0};
  marks[small(text)] = 1;
  int *p = &k;
  if (k > 3) p = NULL; // LATER: source
  return *p + marks[0]; // LATER
}
int main(int argc, char **argv) { return argc < 2 ? 0 : never(argv[1], argc) + later(argv[1], argc); }
