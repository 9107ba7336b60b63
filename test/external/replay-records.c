// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC -ffp-contract=off %S/Inputs/records.c -o %t.so
// RUN: %fathom-cc -g -w -I%S/Inputs %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: echo 'sum(value) -> value' > %t.effects
// RUN: %explore %t.program %t statuses=0,1,2 ledger=external-call -- --sym-stdin 2 --external defer-strict --load %t.so --external-effects %t.effects
// RUN: %fathom replay %t.program %t.out --jobs 2 | FileCheck %s --check-prefixes=CHECK,TRACE
// RUN: %fathom replay %t.program %t.out/tests/000003 | FileCheck %s --check-prefixes=CHECK,TRACE
// RUN: gcc -w -ffp-contract=off -I%S/Inputs %s %S/Inputs/records.c -o %t.native
// RUN: %fathom replay %t.program %t.out --binary %t.native | FileCheck %s
// TRACE: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
// TRACE: stdout{{ +}}all {{[0-9]+}} agree
// TRACE: stderr{{ +}}all {{[0-9]+}} agree
//
// A replayed program calls functions of a library that works on its memory: structures that lead to each other on the stack, the heap and
// in variables, buffers of many pages, numbers of every kind; directly, through a pointer, and with variable arguments.
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int visits[3];
static struct tree leaf = {0, 0, {&visits[2], "leaf", 0.25}};

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  double heavy = 2;
  if (in[0] == 'x')
    heavy = 4;
  struct tree *right = malloc(sizeof *right);
  *right = (struct tree){&leaf, 0, {&visits[1], "right", heavy}};
  struct tree root = {0, right, {&visits[0], "root", 1}};
  double weight = weigh(&root);
  printf("%g %s %s %s %d%d%d\n", weight, root.inner.name, right->inner.name, leaf.inner.name, visits[0], visits[1], visits[2]);
  if (root.left != right || right->right != &leaf || root.right)
    return 9;

  double all = mixed(-1, 200, -300, 4000000000u, -5, 0.5f, 7.25, "eight", -9, 10, 11, 12, 13, 14, 15, 16, -17);
  printf("%.17g\n", all);
  if (all != -1 + 400 - 900 + 16e9 - 25 + 3 + 50.75 + 40 - 81 + 100 + 121 + 144 + 169 + 196 + 225 + 256 - 289)
    return 9;
  float (*pointer)(float) = half;
  printf("%g %d %d\n", pointer(5), negative(5), calls() + calls());
  printf("%d\n", sum(3, -10, 20, 12));

  static char text[] = "through the kernel", back[sizeof text];
  printf("%ld %s\n", through_pipe(text, back, sizeof text), back);
  const unsigned size = 300000;
  unsigned char *bytes = malloc(size);
  for (unsigned i = 0; i < size; i++) bytes[i] = (unsigned char)(i * i >> 3);
  unsigned char last = bytes[size - 1];
  printf("%u\n", reverse(bytes, size));
  if (bytes[0] != last)
    return 9;
  free(bytes);
  free(right);
  if (weight == 5.25)
    return 1;
  if (sum(2, in[0] & 1, in[1] & 1) == 2)
    return 2;
  return 0;
}
