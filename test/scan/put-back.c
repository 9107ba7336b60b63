// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that was taken from where it was held may be put back before it is freed, or into another place of the same memory: another element
// of the array, the same member of another object. Who reads it from there uses freed memory. Where it is taken out again, or another
// pointer is put there, nothing is reported.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --no-cache --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 10 reports: 9 use-after-free, 1 double-free
#include <stdlib.h>

struct holder {
  char *p;
  int count;
};
struct node {
  struct node *next;
  int value;
};
struct list {
  struct node *head;
};

static int putBackBad(struct holder *s) {
  char *old = s->p;
  s->p = NULL;
  s->count++;
  s->p = old;
  free(old);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->p[0];
}
static int maybeBad(struct holder *s, int how) {
  char *old = s->p;
  s->p = NULL;
  if (how > 2) s->p = old;
  free(old);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->p ? s->p[0] : 0;
}
static int eitherBad(struct holder *s, int how) {
  char *old = s->p;
  s->p = how > 2 ? old : NULL;
  free(old);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->p ? s->p[0] : 0;
}
static void restore(struct holder *s, char *old) { s->p = old; }
static int restoredBad(struct holder *s) {
  char *old = s->p;
  s->p = NULL;
  restore(s, old);
  free(old);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->p[0];
}
static void leaves(struct holder *s) {
  char *old = s->p;
  s->p = NULL;
  s->count++;
  s->p = old;
  free(old);
}
static int callerBad(struct holder *s) {
  leaves(s);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return s->p[0];
}
static void againBad(struct holder *s) {
  char *old = s->p;
  s->p = NULL;
  s->count++;
  s->p = old;
  free(old);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
  free(s->p);
}
static int takenAgainOk(struct holder *s) {
  char *old = s->p;
  s->p = NULL;
  s->count++;
  s->p = old;
  s->p = NULL;
  free(old);
  return s->p ? s->p[0] : 0;
}
static int setOk(struct holder *s, char *other) {
  char *old = s->p;
  s->p = other;
  free(old);
  return s->p[0];
}
static int unlessFreedOk(struct holder *s, int how) {
  char *old = s->p;
  s->p = NULL;
  if (how > 2)
    s->p = old;
  else
    free(old);
  return s->p ? s->p[0] : 0;
}

static struct list lists[8];
static struct node *table[8];

static int moveBad(struct list *from, struct list *to) {
  struct node *n = from->head;
  if (!n) return 0;
  from->head = n->next;
  to->head = n;
  free(n);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return to->head->value;
}
// Only the one that it was read from is cleared.
static int clearedBad(struct list *from, struct list *to) {
  struct node *n = from->head;
  if (!n) return 0;
  to->head = n;
  free(n);
  from->head = NULL;
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return to->head->value;
}
static int tableBad(int from, int to) {
  struct node *n = table[from];
  if (!n) return 0;
  table[from] = NULL;
  table[to] = n;
  free(n);
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return table[to]->value;
}
static void drop(struct list *from, struct list *to) {
  struct node *n = from->head;
  if (!n) return;
  from->head = n->next;
  to->head = n;
  free(n);
}
static int dropBad(struct list *from, struct list *to) {
  drop(from, to);
  from->head = NULL;
  // CHECK-DAG: put-back.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  return to->head ? to->head->value : 0;
}
static int moveOk(struct list *from, struct list *to) {
  struct node *n = from->head;
  if (!n) return 0;
  from->head = n->next;
  to->head = n;
  free(n);
  to->head = NULL;
  return to->head ? to->head->value : 0;
}
static void moveOrFreeOk(struct list *from, struct list *to, int how) {
  struct node *n;
  while ((n = from->head)) {
    from->head = n->next;
    if (n->value > how) {
      n->next = to->head;
      to->head = n;
    } else {
      free(n);
    }
  }
}

static struct node *make(struct node *next, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->next = next;
  n->value = value;
  return n;
}

int main(int argc, char **argv) {
  struct holder a = {malloc(4), 0}, b = {malloc(4), 0}, c = {malloc(4), 0}, d = {malloc(4), 0}, e = {malloc(4), 0}, f = {malloc(4), 0},
                g = {malloc(4), 0}, h = {malloc(4), 0}, i = {malloc(4), 0};
  int result = putBackBad(&a) + maybeBad(&b, argc) + eitherBad(&c, argc) + restoredBad(&d) + callerBad(&e);
  againBad(&f);
  result += takenAgainOk(&g) + setOk(&h, argv[0]) + unlessFreedOk(&i, argc);
  for (int at = 0; at < 8; at++) {
    lists[at].head = make(make(NULL, at), argc);
    table[at] = make(NULL, at);
  }
  const int from = argc & 3, to = (argc & 3) + 4;
  switch (argc) {
  case 1: return moveBad(&lists[from], &lists[to]);
  case 2: return tableBad(from, to);
  case 3: return dropBad(&lists[from], &lists[to]);
  case 4: return moveOk(&lists[from], &lists[to]);
  case 5: return clearedBad(&lists[from], &lists[to]);
  default: moveOrFreeOk(&lists[from], &lists[to], argc);
  }
  return result;
}
