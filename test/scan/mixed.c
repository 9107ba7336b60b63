// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not mixed up: allocations that one function checks, and numbers with pointers beside them.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --print points-to:main --no-cache | FileCheck %s --check-prefix=POINTS
// RUN: %fathom scan --all %t --kinds null-dereference --no-cache | FileCheck %s
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *p) {
  if (!p) exit(1);
  return p;
}
static void *make(size_t bytes) { return checked(malloc(bytes)); }

int main(int argc, char **argv) {
  // POINTS: mixed.c:[[#@LINE+1]]: call yields {make@mixed.c:[[#@LINE+1]]}
  char **table = make(64);
  // POINTS: mixed.c:[[#@LINE+1]]: call yields {make@mixed.c:[[#@LINE+1]]}
  char *text = make(8);
  text[0] = 'a';
  // A number is stored next to a pointer, in memory that is one location.
  ((long *)table)[argc & 3] = 0;
  table[4 + (argc & 3)] = text;
  putchar(*table[4 + (argc & 3)]);
  // A number that becomes a pointer.
  long bits = argc > 3 ? 0 : (long)argv[0];
  // CHECK: mixed.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference:
  putchar(*(char *)bits);
  // CHECK: 1 report: 1 null-dereference
  return 0;
}
