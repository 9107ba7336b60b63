// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A leak is reported where the last pointer goes, and the engine tells where the block was allocated. One behind a loop over standard input is found from main with an input.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: %fathom scan --all p --kinds leak --sarif scan.sarif -q --no-cache
// RUN: %fathom confirm p --reports scan.sarif --no-cache --sym-stdin 9 --json -q > scan.json
// RUN: FileCheck %s --check-prefix=SCAN < scan.json
// SCAN: "confirmed":3,
// RUN: python3 %S/Inputs/report.py p.c leak r.sarif "LINE=memory is allocated" "EARLY=memory is allocated" "LATE=memory is allocated"
// RUN: %fathom confirm p --reports r.sarif --no-cache --sym-stdin 9 | FileCheck %s
// Without words for it any step may be the allocation; then none is ruled out.
// RUN: python3 %S/Inputs/report.py p.c leak quiet.sarif EARLY LATE
// RUN: %fathom confirm p --reports quiet.sarif --no-cache --sym-stdin 9 --json -q > quiet.json
// RUN: python3 %S/Inputs/verdicts.py quiet.json EARLY=confirmed LATE=open:no-source
#include <stdio.h>
#include <stdlib.h>
// CHECK: p.c:[[#]]: confirmed: leak: LINE
// CHECK-NEXT: feasible from main with an input
static int reads(void) {
  char line[4];
  int lines = 0, quits = 0;
  while (fgets(line, sizeof line, stdin)) {
    lines++;
    if (line[0] == 'q') quits = 1;
  }
  char *copy = malloc(8); // LINE: source
  if (!copy) return 1;
  copy[0] = 0;
  if (quits && lines > 1) {
    puts("quits");
    return 2; // LINE
  }
  free(copy);
  return 0;
}
// An allocation with two returns: a report means one of them.
// CHECK: p.c:[[#]]: confirmed: leak: EARLY
// CHECK-NEXT: feasible from
static int early(int n) {
  int *p = malloc(4); // EARLY: source
  if (!p) return 1;
  *p = n;
  if (n > 3) {
    n++;
    return n; // EARLY
  }
  free(p);
  return 0;
}
// CHECK: p.c:[[#]]: refuted: leak: LATE
static int late(int n) {
  int *p = malloc(4); // LATE: source
  if (!p) return 1;
  *p = n;
  if (n > 3) return n;
  free(p);
  n = puts("late"); // LATE
  return n;
}
int main(int argc, char **argv) {
  (void)argv;
  return reads() + early(argc) + late(argc);
}
