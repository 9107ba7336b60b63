// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects that one question about all runs must not rule out: what library functions free, keep and call; null with an offset; an index that looks like a
// pointer; blocks that lie anywhere; what the allocator writes into freed memory; realloc of no bytes; constructors; statements of several lines.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free freed.sarif KEEPS REUSED HANDLE GROWS SORTS INDEX NONE LINES
// RUN: python3 %S/Inputs/report.py p.c null-dereference null.sarif FAR BEFORE NUMBER ORDER BEGUN
// RUN: %fathom confirm p --reports freed.sarif --reports null.sarif --no-cache --callers-time 0 --report-time 2s --json -q > q.json
// RUN: python3 -c "import json; r = json.load(open('q.json'))['reports']; assert len(r) == 13, r; wrong = [x['message'] for x in r if x['verdict'] == 'refuted']; assert len(wrong) == 0, wrong"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct box { int v; struct box *next; char big[9000]; int far; };
int keeps(char *text) {
  char *buf = strdup(text);
  if (!buf || !strtok(buf, " ")) return 0;
  free(buf); // KEEPS: source
  return strtok(0, " ") != 0; // KEEPS
}
int reused(int c) {
  struct box *p = malloc(sizeof *p), g = {1};
  if (!p) return 0;
  p->next = &g;
  free(p); // REUSED: source
  return p->next->v; // REUSED
}
int handle(const char *name) {
  FILE *f = fopen(name, "r");
  if (!f) return 0;
  fclose(f); // HANDLE: source
  return fgetc(f); // HANDLE
}
int grows(FILE *in) {
  size_t n = 4;
  char *line = malloc(n), *before = line;
  if (!line) return 0;
  if (getline(&line, &n, in) < 0) return 0; // GROWS: source
  return before[0]; // GROWS
}
static int compare(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
int sorts(void) {
  char *all[2] = {strdup("b"), strdup("a")};
  if (!all[0] || !all[1]) return 0;
  free(all[1]); // SORTS: source
  qsort(all, 2, sizeof *all, compare); // SORTS
  return 1;
}
static char *stashed[2];
int indexed(size_t i) {
  char *p = malloc(8);
  if (!p) return 0;
  memset(p, 0, 8);
  stashed[i & 1] = p;
  char *r = stashed[i & 1];
  free(p); // INDEX: source
  return r[i]; // INDEX
}
int none(size_t n) {
  char *p = malloc(4), *q;
  if (!p) return 0;
  *p = 1;
  if (!(q = realloc(p, n))) return *p; // NONE
  free(q); // NONE: source
  return 0;
}
int lines(struct box *a) {
  struct box *p = malloc(sizeof *p);
  if (!p) return 0;
  free(p); // LINES: source
  return abs( // LINES
      p->v);
}
int far(int c) {
  struct box *p = 0; // FAR: source
  if (c > 5) return p->far; // FAR
  return 0;
}
int before(int c) {
  int *p = 0; // BEFORE: source
  if (c > 5) return p[-1]; // BEFORE
  return 0;
}
int number(int c) {
  int *q = (int *)(c - 3L); // NUMBER: source
  if (c == 3) return *q; // NUMBER
  return 0;
}
int order(void) {
  char *a = malloc(4), *b = malloc(4);
  int *p = b < a ? 0 : (int *)stashed; // ORDER: source
  return *p; // ORDER
}
static int *begun = (int *)stashed;
__attribute__((constructor)) static void begin(void) { begun = 0; }
int main(int argc, char **argv) {
  if (argc > 9) return *begun; // BEGUN
  struct box a = {argc};
  return keeps(argv[0]) + reused(argc) + handle(argv[0]) + grows(stdin) + sorts() + indexed(argc) + none(argc) + lines(&a) + far(argc) + before(argc) +
         number(argc) + order();
}
