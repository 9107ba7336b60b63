// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=2 -- --sym-stdin 1
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: stdout{{ +}}all 2 agree
// CHECK-NOT: exit status
//
// `void main`, and a function through a pointer whose type promises a result: there is none, which is an error only where
// something is decided by it. The exit status is whatever a register holds, and is not compared.
#include <stdio.h>
#include <unistd.h>

static int called;
static void nothing(int x) { called += x; }

void main(int argc, char **argv) {
  char in = 0;
  read(0, &in, 1);
  int (*volatile promising)(int) = (int (*)(int))nothing;
  promising(argc);
  printf("%d %s\n", called, in == 'a' ? "a" : "another");
}
