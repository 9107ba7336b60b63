// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs that share a kind and a helper are told apart by the calls that led there, and by where the object was allocated.
// RUN: %check-bugs %s %t
// RUN: %fathom-cc -g %s -o %t.bin
// RUN: %fathom explore %t.bin -o %t.out --force --sym-stdin 4 > %t.said
// RUN: FileCheck %s < %t.said
// RUN: sh -c 'cat $(grep -l "kind. *: .leak" %t.out/bugs/*/bug.json | head -n 1)' | FileCheck %s --check-prefix=LEAK
// RUN: FileCheck %s --check-prefix=LEDGER < %t.out/ledger.json
// Code scanners take results of one fingerprint for one result.
// RUN: grep -o 'fathomStack/v2": "[^"]*"' %t.out/results.sarif | sort -u | count 6
//
// CHECK: bugs          6
// CHECK-DAG: called in label at {{.*}}one-helper.c:
// CHECK-DAG: called in title at {{.*}}one-helper.c:
// CHECK-DAG: called in first at {{.*}}one-helper.c:
// CHECK-DAG: called in second at {{.*}}one-helper.c:
// The stack of a leak is that of its allocation.
// LEAK: "kind": "leak"
// LEAK: "stack": [
// LEAK-NEXT: {
// LEAK-NEXT: "function": "xmalloc"
// LEAK: "function": "{{first|second}}"
// LEAK: "function": "main"
// LEDGER-NOT: "bound-stacks"
#include <stdlib.h>
#include <unistd.h>

static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
static void copy(char *to, int n) {
  for (int i = 0; i < n; i++)
    to[i] = 'x'; // BUG out-of-bounds-write
}
#ifdef FIXED
#define LIMIT 8
#else
#define LIMIT 9
#endif
static void label(int n) {
  char bytes[8];
  copy(bytes, n);
}
static void title(int n) {
  char bytes[8];
  copy(bytes, n);
}
static void *first(void) {
  return xmalloc(10);
}
static void *second(void) {
  return xmalloc(20);
}
static void lose(int which) {
  char *p = which == 3 ? first() : second(); // BUG leak
  p[0] = 1;
#ifdef FIXED
  free(p);
#endif
}
static void clear(char *p) {
  p[LIMIT - 1] = 0; // BUG out-of-bounds-write
}
int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 1: label(LIMIT); break;
  case 2: title(LIMIT); break;
  case 3:
  case 4:
    lose(in[0]);
    break;
  case 5:
  case 6: { // one call, two objects
    char *p = in[0] == 5 ? malloc(8) : calloc(1, 8);
    clear(p);
    free(p);
  }
  }
  return 0;
}
