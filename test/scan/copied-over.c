// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a whole structure, or a memset, over a member whose memory was freed leaves nothing of the freed pointer. One that ends before
// the member does, one that may not happen, and one that copies the pointer itself do. Elements of the array in main are not told apart, so
// four of the frees count as double.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 12 reports: 8 use-after-free, 4 double-free
// One checker finds both kinds; only what was asked for is reported.
// RUN: %fathom scan --all %t --kinds double-free | tail -n 1 | FileCheck %s --check-prefix=ONE
// ONE: 4 reports: 4 double-free
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct part {
  long length;
  char *text;
};

static struct part made(void) {
  struct part p = {3, strdup("abc")};
  if (!p.text) exit(1);
  return p;
}

char assignedOk(struct part *p) {
  struct part other = made();
  free(p->text);
  *p = other;
  return p->text[0];
}

static void assign(struct part *p, const struct part *other) { memcpy(p, other, sizeof *p); }
char inCallOk(struct part *p) {
  struct part other = made();
  free(p->text);
  assign(p, &other);
  return p->text[0];
}

static void drop(struct part *p) { free(p->text); }
char droppedOk(struct part *p) {
  drop(p);
  *p = made();
  return p->text[0];
}

char clearedOk(struct part *p) {
  free(p->text);
  memset(p, 0, sizeof *p);
  return p->text ? p->text[0] : 'a';
}

// The length goes beyond any offset.
char longOk(struct part *p) {
  free(p->text);
  memset(&p->text, 0, PTRDIFF_MAX);
  return p->text ? p->text[0] : 'a';
}

static struct part shared;
static void dropShared(void) { free(shared.text); }
char variableOk(void) {
  struct part other = made();
  dropShared();
  shared = other;
  return shared.text[0];
}

char shortBad(struct part *p) {
  free(p->text);
  memset(p, 0, sizeof p->length);
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return p->text[0];
}

char sometimesBad(struct part *p, int wanted) {
  struct part other = made();
  free(p->text);
  if (wanted) *p = other;
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return p->text[0];
}

char sameBad(struct part *p) {
  struct part kept = *p;
  free(p->text);
  *p = kept;
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return p->text[0];
}

char storedBackBad(struct part *p) {
  char *kept = p->text;
  free(p->text);
  p->text = kept;
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return p->text[0];
}

char beforeBad(struct part *p) {
  struct part other = made();
  *p = other;
  free(p->text);
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return p->text[0];
}

// The pointer is freed where one place holds it, and was read from another, which still does.
static char *held, *moved;
static void dropHeld(void) {
  moved = held;
  free(moved);
}
char otherHeldBad(void) {
  dropHeld();
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return held[0];
}

static char *kept, *shifted;
static void dropKept(void) {
  shifted = kept;
  free(shifted);
}
char otherClearedBad(void) {
  dropKept();
  shifted = 0;
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return kept[0];
}

static void dropMoved(char **to, char **from) {
  *to = *from;
  free(*to);
}
char parameterBad(char **from) {
  char *to;
  dropMoved(&to, from);
  to = 0;
  // CHECK-DAG: copied-over.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return (*from)[0] + (to ? 1 : 0);
}

int main(int argc, char **argv) {
  (void)argv;
  struct part p[10];
  for (int i = 0; i < 10; i++) p[i] = made();
  shared = made();
  int sum = assignedOk(&p[0]) + inCallOk(&p[1]) + droppedOk(&p[2]) + clearedOk(&p[3]) + longOk(&p[9]) + variableOk();
  sum += shortBad(&p[4]) + sometimesBad(&p[5], argc > 1) + sameBad(&p[6]) + storedBackBad(&p[7]);
  held = malloc(4);
  kept = malloc(4);
  char *from = malloc(4);
  if (!held || !kept || !from) return 1;
  sum += otherHeldBad() + otherClearedBad() + parameterBad(&from);
  return sum + beforeBad(&p[8]);
}
