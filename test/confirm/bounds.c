// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search that a bound cut short is open, and says which bound: it is never refuted. Rounds that a path cannot leave out do not count.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s use-after-free p.sarif FREE KNOWN LONG LIST
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --unbounded-time 0 --calls step-in --json -q > bounded.json
// RUN: python3 %S/Inputs/verdicts.py bounded.json FREE=open:loop-bound KNOWN=refuted LONG=possible LIST=open:loop-bound
// Without the bound, or with a second search without it, what comes to an end is decided.
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --unbounded-time 0 --calls step-in --json -q --loop-bound 0 --report-time 3s > free.json
// RUN: python3 %S/Inputs/verdicts.py free.json FREE=refuted KNOWN=refuted LONG=possible LIST=open:time
// A search that ran out of time says where its paths were lost.
// RUN: FileCheck %s --check-prefix=BUSIEST < free.json
// BUSIEST: the time for one report ran out (--report-time); {{[0-9]+}} of {{[0-9]+}} decisions were made in walk
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --json -q > twice.json
// RUN: python3 %S/Inputs/verdicts.py twice.json FREE=refuted KNOWN=refuted LONG=possible LIST=open:loop-bound
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --unbounded-time 0 --json -q --loop-bound 6 > six.json
// RUN: python3 %S/Inputs/verdicts.py six.json FREE=open:loop-bound LIST=open:loop-bound
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --unbounded-time 0 --calls step-in --json -q --max-depth 2 > short.json
// RUN: python3 %S/Inputs/verdicts.py short.json FREE=open:depth KNOWN=refuted LONG=open:depth
// Every way to choose the next path comes to the same.
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --unbounded-time 0 --json -q --loop-bound 7 --strategy default > default.json
// RUN: python3 %S/Inputs/verdicts.py default.json FREE=refuted KNOWN=refuted LONG=possible LIST=open:loop-bound
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --no-slice --unbounded-time 0 --json -q --loop-bound 7 --strategy distance > distance.json
// RUN: python3 %S/Inputs/verdicts.py distance.json FREE=refuted KNOWN=refuted LONG=possible LIST=open:loop-bound
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom confirm p --no-questions --reports p.sarif --strategy best 2>&1 | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: --strategy best: expected default, distance or mixed
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom confirm p --no-questions --reports p.sarif --calls none 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: --calls none: expected summaries, step-in or no-step-in
#include <stdlib.h>
int rounds(unsigned n) {
  int *p = malloc(4), sum = 0;
  if (!p) return 0;
  *p = 1;
  n &= 7;
  for (unsigned i = 0; i < n; i++) sum += 2;
  if (n > 7) free(p); // FREE: source
  return *p + sum; // FREE
}
int known(int which) {
  int table[40], *p = malloc(4);
  if (!p) return 0;
  *p = 1;
  for (int i = 0; i < 40; i++) table[i] = i;
  if (table[which & 7] > 39) free(p); // KNOWN: source
  return *p; // KNOWN
}
int longer(int a, int b, int c) {
  int *p = malloc(4), sum = 0;
  if (!p) return 0;
  *p = 1;
  if (a & 1) sum++;
  if (b & 1) sum++;
  if (c & 1) sum++;
  for (int i = 0; i < 2; i++) *p += i;
  if (sum == 3) free(p); // LONG: source
  return p[a & 2 ? 0 : 0]; // LONG
}
struct list { struct list *next; int value; };
int walk(struct list *l) {
  int *p = malloc(4), sum = 0;
  if (!p) return 0;
  *p = 1;
  for (; l; l = l->next) sum |= l->value & 1;
  if (sum & 2) free(p); // LIST: source
  return *p; // LIST
}
int main(int argc, char **argv) {
  struct list one = {0, argc};
  return rounds(argc) + known(argc) + longer(argc, argc, argv[0][0]) + walk(&one);
}
