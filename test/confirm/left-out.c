// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls and branches that have nothing to do with a report are left out, whatever they write, and put back where a path depends on them.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s use-after-free p.sarif NUMBERS FILLS CAN NEVER RESETS KEEPS LIST WITHIN COMPARES
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --unbounded-time 0 --json -q > out.json
// RUN: python3 %S/Inputs/verdicts.py out.json NUMBERS=refuted FILLS=open:left-out CAN=possible NEVER=refuted RESETS=refuted KEEPS=possible LIST=possible WITHIN=refuted COMPARES=refuted
// With everything executed, loops meet their bound.
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --unbounded-time 0 --json -q --calls step-in --no-slice > inside.json
// RUN: python3 %S/Inputs/verdicts.py inside.json NUMBERS=open:loop-bound FILLS=open:loop-bound CAN=possible NEVER=refuted RESETS=refuted KEEPS=possible LIST=possible
#include <stdio.h>
#include <stdlib.h>
static int *made(void) {
  int *p = malloc(4);
  if (!p) exit(1);
  *p = 1;
  return p;
}
// A loop that gives a number of 32 bits: leaving it out covers every run.
int numbers(const char *s) {
  int *p = made();
  unsigned h = 5381;
  while (*s) h = h * 33 ^ (unsigned)*s++;
  if (h < 7 && h > 7) free(p); // NUMBERS: source
  return *p; // NUMBERS
}
// One that writes memory: no path shows it without, but pointers might have been written.
int fills(const char *s, char *to, int x) {
  int *p = made();
  while (*s) *to++ = *s++;
  if (x < 7 && x > 7) free(p); // FILLS: source
  return *p; // FILLS
}
struct sizes {
  int x, y;
};
static void fill(struct sizes *s, int x) {
  s->x = 2 * x;
  s->y = x;
}
int can(int x) {
  int *p = made();
  struct sizes s;
  fill(&s, x);
  if (s.y == 3) free(p); // CAN: source
  return *p; // CAN
}
int never(int x) {
  int *p = made();
  struct sizes s;
  fill(&s, x);
  if (s.x == 3) free(p); // NEVER: source
  return *p; // NEVER
}
struct holder {
  int *p;
  int n;
};
static void reset(struct holder *h) { h->p = 0; }
static void count(struct holder *h) { h->n++; }
int resets(void) {
  struct holder h = {made(), 0};
  free(h.p); // RESETS: source
  reset(&h);
  return h.p ? *h.p : 0; // RESETS
}
int keeps(void) {
  struct holder h = {made(), 0};
  free(h.p); // KEEPS: source
  count(&h);
  return h.p ? *h.p : 0; // KEEPS
}
struct node {
  struct node *next;
  int key;
};
// A loop that finds a pointer: a path depends on what it finds.
int list(struct node *n, int key) {
  while (n && n->key != key) n = n->next;
  if (!n) return 0;
  free(n); // LIST: source
  return n->key; // LIST
}
// What the call at the sink calls is left out elsewhere.
static void show(const char *text) { printf("%s\n", text); }
static int shown(int *p, const char *text) {
  show(text);
  return *p;
}
int within(const char *text, int x) {
  int *p = made();
  show(text);
  if (x < 7 && x > 7) free(p); // WITHIN: source
  return shown(p, "x"); // WITHIN
}
// Printing does not lead to what qsort was given.
static int *shared;
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b + *shared; // COMPARES
}
int compares(const char *text, int x) {
  int keys[] = {x, 1};
  shared = made();
  printf("%s\n", text);
  if (x < 7 && x > 7) free(shared); // COMPARES: source
  qsort(keys, 2, sizeof *keys, compare);
  return keys[0];
}
int main(int argc, char **argv) {
  struct node n = {0, argc};
  char to[64];
  return numbers(argv[0]) + fills(argv[0], to, argc) + can(argc) + never(argc) + resets() + keeps() + (argc > 100 ? list(&n, argc) : 0) + within(argv[0], argc) + compares(argv[0], argc);
}
