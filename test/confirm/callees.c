// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer to a function that callers gave means one that the program puts there, and no other of its type. Numbers that are added to the address of an object are
// indices, whatever they are.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif GIVEN OTHER
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --json -q > p.json
// RUN: python3 %S/Inputs/verdicts.py p.json GIVEN=possible OTHER=refuted
#include <stdlib.h>
struct box { int v; };
struct ops { int (*done)(struct box *); };
struct other { int (*look)(struct box *); };
static int drop(struct box *b) {
  free(b); // GIVEN: source
  return 0;
}
static int end(struct box *b) {
  free(b); // OTHER: source
  return 1;
}
static int see(struct box *b) { return b->v; }
__attribute__((noinline)) int given(struct ops *o, struct box *b) {
  o->done(b);
  return b->v; // GIVEN
}
__attribute__((noinline)) int other(struct other *o, struct box *b) {
  o->look(b);
  return b->v; // OTHER
}
int main(int argc, char **argv) {
  struct ops o = {argc > 2 ? drop : end};
  struct other l = {see};
  struct box *b = malloc(sizeof *b);
  if (!b) return 1;
  b->v = argv[0][0];
  return argc > 1 ? given(&o, b) : other(&l, b);
}
