// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points-to sets: members apart, elements together, wrappers of malloc apart, calls through pointers.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --print points-to | FileCheck %s
// RUN: %fathom scan %t --print call-graph:main | FileCheck %s --check-prefix=CALLS
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
  void (*visit)(struct node *);
};
static struct node *head;
static int cells[4], other;

static void up(struct node *n) { n->value++; }
static void down(struct node *n) { n->value--; }

static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}

// CHECK-LABEL: push (points-to.c
static void push(int v) {
  // CHECK: points-to.c:[[#@LINE+1]]: call yields {xmalloc@points-to.c:[[#NODE:@LINE+1]]}
  struct node *n = xmalloc(sizeof *n);
  // CHECK: points-to.c:[[#@LINE+1]]: store to {xmalloc@points-to.c:[[#NODE]]+8} of {xmalloc@points-to.c:[[#NODE]]}
  n->next = head;
  // CHECK: points-to.c:[[#@LINE+1]]: store to {xmalloc@points-to.c:[[#NODE]]+16} of {up, down}
  n->visit = v & 1 ? up : down;
  head = n;
}

// CHECK-LABEL: main (points-to.c
int main(int argc, char **argv) {
  push(argc);
  // CHECK: points-to.c:[[#@LINE+1]]: call yields {xmalloc@points-to.c:[[#@LINE+1]]}
  int *numbers = xmalloc(40);
  // CHECK: points-to.c:[[#@LINE+1]]: store to {xmalloc@points-to.c:[[#@LINE-1]]}{{$}}
  numbers[argc] = 3;
  // CHECK: points-to.c:[[#@LINE+1]]: load from {cells}
  int *p = argc > 2 ? &cells[cells[1]] : &other;
  // CHECK: points-to.c:[[#@LINE+1]]: store to {cells, other}
  *p = 1;
  // CALLS: points-to.c:[[#@LINE+2]]: calls up, down (through a pointer)
  // CHECK: points-to.c:[[#@LINE+1]]: load from {xmalloc@points-to.c:[[#NODE]]+8} yields {xmalloc@points-to.c:[[#NODE]]}
  for (struct node *n = head; n; n = n->next) n->visit(n);
  return numbers[2];
}
