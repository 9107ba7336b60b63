// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same questions at three levels of the analysis: each leaves at most what the one before leaves, and each rules out something here.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --print precision -v --no-cache 2>/dev/null | FileCheck %s --check-prefix=PAIRS
// RUN: %fathom scan %t --print precision --no-cache 2>/dev/null | FileCheck %s --check-prefix=COUNTS
// COUNTS: locations per address: {{[0-9]+\.[0-9]}}
// COUNTS-NEXT: sources: [[#]], asked: [[#]]; loads: [[#]], asked: [[#]]
// COUNTS-NEXT: points-to: 3 pairs of source and sink, {{[1-9][0-9]*}} pairs of store and load
// COUNTS-NEXT: memory-ssa: 2 pairs of source and sink, {{[1-9][0-9]*}} pairs of store and load
// COUNTS-NEXT: summaries: 1 pairs of source and sink, {{[1-9][0-9]*}} pairs of store and load
// COUNTS-NOT: {{->}}
#include <stdio.h>
#include <stdlib.h>

static char cell = 'a';
char *first, *second;

// Null goes through this one, to another caller than the one that dereferences.
static char *same(char *p) { return p; }

int main(int argc, char **argv) {
  // What is stored is stored over: only points-to sets do not know it.
  first = NULL;
  if (argc > 5) puts("five");
  first = &cell;
  if (argc > 6) puts("six");
  // PAIRS-DAG: precision.c:[[#@LINE-4]] -> {{.*}}precision.c:[[#@LINE+1]]: points-to{{$}}
  putchar(*first);
  // Calls that do not match.
  second = same(NULL);
  // PAIRS-DAG: precision.c:[[#@LINE-1]] -> {{.*}}precision.c:[[#@LINE+1]]: points-to memory-ssa{{$}}
  putchar(*same(&cell));
  // No level rules this out.
  char *none = argc > 3 ? NULL : argv[0];
  // PAIRS-DAG: precision.c:[[#@LINE-1]] -> {{.*}}precision.c:[[#@LINE+1]]: points-to memory-ssa summaries{{$}}
  putchar(*none);
  return 0;
}
