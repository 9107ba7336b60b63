// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would settle an open report follows from what stopped its last search: the bound, the search's own time, or the time that all reports share.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif ARGUMENTS ROUNDS
// Nothing but the bound.
// RUN: %fathom confirm p --no-questions --reports p.sarif --no-cache --callers-time 0 --no-slice --unbounded-time 0 | FileCheck %s --check-prefix=BOUND
// BOUND: open: use-after-free: ARGUMENTS
// BOUND-NEXT: a loop goes on after 3 rounds (--loop-bound); whether it goes on depends on argc at {{.*}}p.c:[[#]] in main
// BOUND-NEXT: would settle it: an input that shows it (--sym-args, --sym-stdin, --sym-files); no number of rounds rules it out
// BOUND: open: use-after-free: ROUNDS
// BOUND-NEXT: a loop goes on after 3 rounds (--loop-bound); whether it goes on depends on n at {{.*}}p.c:[[#]] in rounds
// BOUND-NEXT: would settle it: more rounds of loops (--loop-bound), or a search without this bound (--unbounded-time)
// RUN: %fathom confirm p --no-questions --reports p.sarif --no-cache --callers-time 0 --no-slice --unbounded-time 0 --max-depth 2 | FileCheck %s --check-prefix=DEPTH
// DEPTH: open: use-after-free: ROUNDS
// DEPTH: would settle it: longer paths (--max-depth), or a search without this bound (--unbounded-time)
// A search without the bound, which used its own time up.
// RUN: %fathom confirm p --no-questions --reports p.sarif --no-cache --callers-time 0 --no-slice --unbounded-time 300ms > own.txt
// RUN: FileCheck %s --check-prefix=OWN < own.txt
// OWN: open: use-after-free: ARGUMENTS
// OWN-NEXT: without this bound, the search did not end in 0.3 s (--unbounded-time)
// OWN-NEXT: would settle it: an input that shows it
// OWN: open: use-after-free: ROUNDS
// OWN-NEXT: without this bound, the search did not end in 0.3 s (--unbounded-time)
// OWN-NEXT: would settle it: more time for the search without this bound (--unbounded-time), or the code of callers
// OWN: 2 open (2 loop-bound)
// It was the report's time that ended, and not the bound.
// RUN: %fathom confirm p --no-questions --reports p.sarif --no-cache --callers-time 0 --no-slice --unbounded-time 60s --report-time 600ms | FileCheck %s --check-prefix=REPORT
// REPORT: open: use-after-free: ROUNDS
// REPORT-NEXT: for the search without this bound, the time for one report ran out (--report-time)
// REPORT-NEXT: would settle it: more time for one report (--report-time)
// REPORT: 2 open (2 time)
// Short tries of a time for all.
// RUN: %fathom confirm p --no-questions --reports p.sarif --no-cache --callers-time 0 --no-slice --unbounded-time 60s --rounds 1 --report-time 60s | FileCheck %s --check-prefix=SHARED
// SHARED: open: use-after-free: ROUNDS
// SHARED: would settle it: more rounds (--rounds): the same command continues
// SHARED: 2 open (2 budget)
// What was left out, and an assumption that the user made.
// RUN: python3 %S/Inputs/report.py p.c use-after-free left.sarif COPIES
// RUN: %fathom confirm p --no-questions --reports left.sarif --no-cache --callers-time 0 --unbounded-time 0 | FileCheck %s --check-prefix=LEFT
// LEFT: open: use-after-free: COPIES
// LEFT-NEXT: no path shows it if the calls and branches that were left out write no pointers; with all of it executed: a loop goes on after 3 rounds (--loop-bound)
// LEFT-NEXT: would settle it: more rounds of loops (--loop-bound), or a search without this bound
// RUN: python3 %S/Inputs/report.py p.c null-dereference paper.sarif PAPER
// RUN: %fathom confirm p --no-questions --reports paper.sarif --no-cache --callers-time 0 --paper-init | FileCheck %s --check-prefix=PAPER
// PAPER: open: null-dereference: PAPER
// PAPER: would settle it: a search without --paper-init
#include <stdlib.h>
int rounds(unsigned n) {
  int *p = malloc(4), sum = 0;
  if (!p) return 0;
  *p = 1;
  for (unsigned i = 0; i < n; i++) sum |= (int)i & 1;
  if (sum & 2) free(p); // ROUNDS: source
  return *p + sum; // ROUNDS
}
int copies(const char *s, char *to, int x) {
  int *p = malloc(4);
  if (!p) return 0;
  *p = 1;
  while (*s) *to++ = *s++;
  if (x < 7 && x > 7) free(p); // COPIES: source
  return *p; // COPIES
}
int paper(int *p) {
  if (!p)
    p = NULL;
  return *p; // PAPER
}
int main(int argc, char **argv) {
  int *p = malloc(4), sum = 0;
  if (!p) return 0;
  *p = 1;
  for (int i = 0; i < argc; i++) sum |= argc & 1;
  if (sum & 2) free(p); // ARGUMENTS: source
  sum += *p; // ARGUMENTS
  return sum + copies(argv[0], argv[0], argc);
}
