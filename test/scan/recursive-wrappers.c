// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wrapper of an allocator that calls itself: what it allocates is told apart by the call from outside, and by nothing else.
// One copy for each way down would be some thousands here.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --print points-to | FileCheck %s
#include <stdlib.h>

struct node {
  struct node *part[8];
};

// CHECK-LABEL: tree (recursive-wrappers.c
static struct node *tree(int depth) {
  struct node *n = calloc(1, sizeof *n);
  if (!n || depth <= 0) return n;
  // CHECK: recursive-wrappers.c:[[#@LINE+1]]: call yields {tree@recursive-wrappers.c:[[#FIRST:]], tree@recursive-wrappers.c:[[#SECOND:]]}
  n->part[0] = tree(depth - 1);
  n->part[1] = tree(depth - 2);
  n->part[2] = tree(depth - 3);
  n->part[3] = tree(depth - 4);
  n->part[4] = tree(depth - 5);
  n->part[5] = tree(depth - 6);
  n->part[6] = tree(depth - 7);
  n->part[7] = tree(depth - 8);
  return n;
}

// CHECK-LABEL: main (recursive-wrappers.c
int main(void) {
  // CHECK: recursive-wrappers.c:[[#@LINE+1]]: call yields {tree@recursive-wrappers.c:[[#@LINE+1]]}{{$}}
  struct node *one = tree(9);
  // CHECK: recursive-wrappers.c:[[#@LINE+1]]: call yields {tree@recursive-wrappers.c:[[#@LINE+1]]}{{$}}
  struct node *other = tree(5);
  // CHECK: recursive-wrappers.c:[[#@LINE+1]]: load from {tree@recursive-wrappers.c:[[#@LINE-3]]} yields {tree@recursive-wrappers.c:[[#@LINE-3]]}
  return one->part[3] == other;
}
