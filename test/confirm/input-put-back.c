// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that reads standard input is left out, and is executed after all, for a path that shows the report depends on it. There standard input
// is empty, so that the search rules nothing out.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s null-dereference r.sarif NEVER LATER
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 0 --json -q > said.json
// RUN: python3 %S/Inputs/verdicts.py said.json NEVER=refuted LATER=open:input
// From main with an input:
// RUN: %fathom confirm p --reports r.sarif --no-cache --json -q > main.json
// RUN: python3 %S/Inputs/verdicts.py main.json NEVER=refuted LATER=confirmed
#include <stdio.h>
#include <stdlib.h>
static int which(void) {
  char sniff[8];
  unsigned got = 0;
  int kind = 0, ch;
  if ((ch = getchar()) != EOF) {
    if (ch == 'B') {
      sniff[got++] = (char)ch;
      if ((ch = getchar()) == 'Z') {
        sniff[got++] = (char)ch;
        if ((ch = getchar()) == 'h') {
          sniff[got++] = (char)ch;
          kind = 1;
        }
      }
    } else if (ch == '\037') {
      sniff[got++] = (char)ch;
      if ((ch = getchar()) != EOF) {
        sniff[got++] = (char)ch;
        kind = ch == 30 ? 2 : ch == 29 ? 3 : 0;
      }
    } else {
      sniff[got++] = (char)ch;
    }
  }
  while (got != 0) ungetc(sniff[--got], stdin); // never outside
  return kind;
}
static int never(int k) {
  int kind = which();
  int *p = &k;
  if (k > 3 && k < 3) p = NULL; // NEVER: source
  return *p + kind; // NEVER
}
static int later(int k) {
  int kind = which();
  int *p = &k;
  if (kind == 2) p = NULL; // LATER: source
  return *p; // LATER
}
int main(int argc, char **argv) { return never(argc) + later(argc); }
