// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=4 statuses=0,1,2,5 bugs=uninitialized-read:21
// RUN: fathom replay %t.program %t.out | FileCheck %s
// RUN: %explore %s %t paths_completed=1 statuses=0 -- --check-uninit=0
// What was never written may be anything: both ways of a branch on it are explored, with one value
// on each path, however it got there, and it is reported once, where it is used first. Its tests are
// not held against what the native program finds in that memory.
// CHECK: not compared {{ *}}4 tests depend on unwritten memory
// CHECK: bugs {{ *}}0 of 1 reproduce; 1 is without a native symptom
#include <stdio.h>

struct pair {
  int set, unset;
};

static int innocent(int v) {
  if (v > 10) return 2;
  return 0;
}
static int first(struct pair p) {
  if (p.unset == 3) return 1;
  return 0;
}

int main(void) {
  struct pair p, q;
  p.set = 1;
  q = p;
  int r = first(q);
  r += innocent(q.unset);
  if (p.unset == 0x7fffffff && r) r = 5;
  if (q.unset == 3 && r != 1) return 9; // it is 3, or it is not
  return r;
}
