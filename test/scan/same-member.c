// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member that a loop frees in each round is the same one if nothing that its address is computed from changes, wherever the member is in its
// structure. And a pointer that is read where it was just stored is what was stored, behind a branch too.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --no-cache --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 6 reports: 2 use-after-free, 4 double-free
#include <stdlib.h>

struct inner {
  int count;
  char *text;
};
struct outer {
  char *name, *text;
  struct inner *inner;
  struct outer *next;
};

static void firstBad(struct outer *s, int n) {
  // CHECK-DAG: same-member.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
  for (int i = 0; i < n; i++) free(s->name);
}
static void secondBad(struct outer *s, int n) {
  // CHECK-DAG: same-member.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
  for (int i = 0; i < n; i++) free(s->text);
}
static void throughBad(struct outer *s, int n) {
  // CHECK-DAG: same-member.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
  for (int i = 0; i < n; i++) free(s->inner->text);
}
// CHECK-DAG: same-member.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
static void drop(struct inner *inner) { free(inner->text); }
static void calledBad(struct outer *s, int n) {
  for (int i = 0; i < n; i++) drop(s->inner);
}
static void eachOk(struct outer *s, int n) {
  for (int i = 0; i < n; i++) free(s[i].text);
}
static void newOk(struct outer *s, int n) {
  for (int i = 0; i < n; i++) {
    s->text = malloc(3);
    free(s->text);
  }
}
static void walkOk(struct outer *s) {
  while (s) {
    struct outer *next = s->next;
    free(s->text);
    free(s);
    s = next;
  }
}

static int branchBad(struct outer *s, int how) {
  if (how) {
    s->name = malloc(3);
    free(s->name);
  }
  // CHECK-DAG: same-member.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->name[0];
}
static int eitherBad(struct outer *s, int how) {
  if (how) {
    s->text = malloc(3);
    free(s->text);
  } else {
    s->next = NULL;
  }
  // CHECK-DAG: same-member.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->text[0];
}
static int clearedOk(struct outer *s, int how) {
  if (how) {
    s->text = malloc(3);
    free(s->text);
    s->text = s->name;
  }
  return s->text[0];
}

int main(int argc, char **argv) {
  static char text[4] = "abc";
  struct outer *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c), *d = malloc(sizeof *d), *e = malloc(4 * sizeof *e),
               *f = malloc(sizeof *f), *g = malloc(sizeof *g), *h = malloc(sizeof *h), *i = malloc(sizeof *i), *j = malloc(sizeof *j);
  if (!a || !b || !c || !d || !e || !f || !g || !h || !i || !j) return 1;
  a->name = malloc(4);
  firstBad(a, argc);
  b->text = malloc(4);
  secondBad(b, argc);
  c->inner = malloc(sizeof *c->inner);
  c->inner->text = malloc(4);
  throughBad(c, argc);
  d->inner = malloc(sizeof *d->inner);
  d->inner->text = malloc(4);
  calledBad(d, argc);
  for (int at = 0; at < 4; at++) e[at].text = malloc(4);
  eachOk(e, 4);
  newOk(f, argc);
  g->next = NULL;
  g->text = malloc(4);
  walkOk(g);
  h->name = i->text = j->name = j->text = text;
  return branchBad(h, argc > 1) + eitherBad(i, argc > 2) + clearedOk(j, argc > 3);
}
