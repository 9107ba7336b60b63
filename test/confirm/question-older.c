// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer of unknown origin that was used before a block's address went anywhere is not that address. One that a call returned after it may be that block, and here it is.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free freed.sarif FREED FREED-LATER
// RUN: python3 %S/Inputs/report.py p.c null-dereference null.sarif CLEARED CLEARED-LATER INDEX
// RUN: %fathom confirm p --reports freed.sarif --reports null.sarif --no-cache --callers-time 0 --report-time 2s --json -q > q.json
// RUN: python3 %S/Inputs/verdicts.py q.json FREED=refuted FREED-LATER=possible CLEARED=refuted CLEARED-LATER=possible INDEX=open
#include <stdarg.h>
#include <stdlib.h>
struct box { int v; int *of; struct box *next; };
static struct box *last;
/* Calls with variable arguments are not followed. */
static struct box *find(const char *how, ...) {
  return *how == 'x' ? calloc(1, sizeof(struct box)) : last;
}
int freed(int c) {
  struct box *old = find("x", c);
  old->v = 0;
  struct box *b = malloc(sizeof *b);
  if (!b) return 0;
  b->v = c;
  old->next = last = b;
  free(old); // FREED: source
  return b->v; // FREED
}
int freed_later(int c) {
  struct box *b = malloc(sizeof *b);
  if (!b) return 0;
  b->v = c;
  last = b;
  struct box *found = find("y", c);
  found->v = 0;
  free(found); // FREED-LATER: source
  return b->v; // FREED-LATER
}
int cleared(int c) {
  struct box *old = find("x", c);
  old->v = 0;
  struct box *b = malloc(sizeof *b);
  if (!b) return 0;
  b->of = &b->v;
  old->next = last = b;
  old->of = 0; // CLEARED: source
  return *b->of; // CLEARED
}
int cleared_later(int c) {
  struct box *b = malloc(sizeof *b);
  if (!b) return 0;
  b->of = &b->v;
  last = b;
  struct box *found = find("y", c);
  found->of = 0; // CLEARED-LATER: source
  return *b->of; // CLEARED-LATER
}
/* An index may be older than the block; it is no pointer. */
static char *buffer;
static size_t number(const char *how, ...) { return *how == 'x' ? 0 : 4; }
static void swap(const char *how, void *to, ...) { buffer = to; }
int by_index(int c) {
  size_t n = number("x", c);
  *(char *)(((size_t)buffer & ~(size_t)7) + n) = 1;
  struct box *b = malloc(sizeof *b);
  if (!b) return 0;
  swap("x", b);
  b->of = &b->v;
  ((struct box *)(((size_t)buffer & ~(size_t)7) + n))->of = 0; // INDEX: source
  return *b->of; // INDEX
}
int main(int argc, char **argv) {
  switch (argc) {
  case 1: return freed(argc);
  case 2: return freed_later(argc);
  case 3: return cleared(argc);
  case 4: buffer = malloc(8); return by_index(argc);
  default: return cleared_later(argc);
  }
}
