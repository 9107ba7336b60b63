// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line that is longer than the buffer is tried for all reports, in standard input and in a file: what it shows needs a thousand rounds of a loop.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p && %fathom-cc -g -w -DNAMED p.c -o named
// RUN: python3 %S/Inputs/report.py p.c out-of-bounds-read p.sarif BEHIND WITHIN
// RUN: %fathom confirm p --reports p.sarif --no-cache --report-time 4s --json -q > p.json
// RUN: python3 %S/Inputs/verdicts.py p.json BEHIND=confirmed WITHIN=open
// RUN: %fathom confirm named --reports p.sarif --no-cache --report-time 4s --json -q -- -f @@ > named.json
// RUN: python3 %S/Inputs/verdicts.py named.json BEHIND=confirmed WITHIN=open
#include <ctype.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char buffer[1024], *q;
#ifdef NAMED
  if (argc != 3 || strcmp(argv[1], "-f")) return 1;
  FILE *file = fopen(argv[2], "r");
  if (!file) return 2;
#else
  FILE *file = stdin;
#endif
  while (fgets(buffer, sizeof buffer, file)) { // BEHIND: source
    q = buffer;
    while (!isspace((unsigned char)*q)) q++; // BEHIND
    *q = 0;
    q = buffer;
    while (*q && !isspace((unsigned char)*q)) q++; // WITHIN
  }
  return 0;
}
