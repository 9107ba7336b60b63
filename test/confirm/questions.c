// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One question about all paths rules out what path after path cannot: behind a loop without a bound, behind a call with many paths. It says nothing of what
// can happen, and what it assumed is told.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif LOOP PATHS ALIAS INSIDE SWITCHED
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --json -q > q.json
// RUN: python3 %S/Inputs/verdicts.py q.json LOOP=refuted PATHS=refuted ALIAS=possible INSIDE=possible SWITCHED=refuted
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --only p.c:27 | FileCheck %s
// CHECK: no run of behind_loop shows it (one question about {{.*}} instructions, for all paths at once)
// Without it, the search ends at a bound.
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --no-questions --no-slice --calls step-in --unbounded-time 0 --json -q > n.json
// RUN: python3 %S/Inputs/verdicts.py n.json LOOP=open:loop-bound ALIAS=possible INSIDE=possible
// RUN: python3 %S/Inputs/report.py p.c null-dereference n.sarif RESULT CHECKED
// RUN: %fathom confirm p --reports n.sarif --no-cache --callers-time 0 --json -q > r.json
// RUN: python3 %S/Inputs/verdicts.py r.json RESULT=refuted CHECKED=possible
#include <stdlib.h>
#include <string.h>
struct box { int v, bad; struct box *next; };
int behind_loop(const char *text, int c) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = c;
  for (int i = 0; text[i] != 0; i++)
    if (text[i] == c) c = text[i + 1];
  int bad = c == 7;
  if (bad) free(p); // LOOP: source
  return bad ? 0 : *p; // LOOP
}
static int mixed(int a) {
  for (int i = 0; i < 40; i++) a = a & 1 << i % 31 ? a * 3 : a ^ i;
  return a;
}
int behind_paths(int a) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  int k = mixed(a), *q = p;
  if (k > 5) free(q), q = 0; // PATHS: source
  if (k <= 5) return *p; // PATHS
  return k;
}
int aliased(struct box *a, struct box *b) {
  free(a); // ALIAS: source
  return b->v; // ALIAS
}
int inside(struct box *a) {
  struct box *n = a->next;
  if (n == a) free(n); // INSIDE: source
  return a->v; // INSIDE
}
int switched(int k) {
  int *p = malloc(4);
  if (!p) return 0;
  *p = k;
  switch (k & 3) {
  case 0:
    free(p); // SWITCHED: source
    return 0;
  case 1:
    k += 4;
    break;
  default: k = 9;
  }
  return *p; // SWITCHED
}
static struct box *find(struct box *list, int v) {
  for (; list; list = list->next)
    if (list->v == v) return list;
  return NULL; // RESULT: source
}
int result(struct box *list) {
  struct box *b = find(list, 3);
  if (!b && list) return 1;
  if (list) return b->bad; // RESULT
  return 0;
}
int checked(struct box *list) {
  struct box *b = list;
  if (!b) list = NULL; // CHECKED: source
  return b->bad; // CHECKED
}
int main(int argc, char **argv) {
  struct box a = {1, 0, 0};
  return behind_loop(argv[0], argc) + behind_paths(argc) + aliased(malloc(16), &a) + inside(&a) + switched(argc) + result(&a) + checked(&a);
}
