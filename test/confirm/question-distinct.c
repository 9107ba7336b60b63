// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One question about all runs takes nothing for granted of a block that was given to nobody: no call frees it, no other pointer leads to it.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free freed.sarif PRIVATE MINE
// RUN: python3 %S/Inputs/report.py p.c null-dereference null.sarif OWN
// RUN: %fathom confirm p --reports freed.sarif --reports null.sarif --no-cache --callers-time 0 --json -q > q.json
// RUN: python3 %S/Inputs/verdicts.py q.json PRIVATE=refuted MINE=refuted OWN=refuted
#include <stdlib.h>
struct box { int v; struct box *next; int *of; };
struct text { int n; char *bytes; };
static struct text *kept;
static int work(int c) {
  for (int i = 0; i < c; i++)
    if (i % 3 == 1) free(kept), kept = 0; // PRIVATE: source
  return c;
}
int private(int c) {
  struct text *p = malloc(sizeof *p);
  if (!p) return 0;
  p->n = c;
  if (work(c) > 7) kept = p;
  return p->n; // PRIVATE
}
int mine(struct box *b, int c) {
  struct text *p = malloc(sizeof *p);
  if (!p) return 0;
  p->n = c;
  if (c > 3) free(b->of); // MINE: source
  return p->n; // MINE
}
int own(struct box *b, int c) {
  struct text *p = malloc(sizeof *p);
  if (!p) return 0;
  char here = 1;
  p->bytes = &here;
  b->next->of = 0; // OWN: source
  return *p->bytes; // OWN
}
int main(int argc, char **argv) {
  struct box b = {argc, &b, malloc(4)};
  return private(argc) + mine(&b, argc) + own(&b, argc);
}
