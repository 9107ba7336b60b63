// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocator that is called through a pointer of callers, or through a hook that the program has and nobody sets: a search that cannot follow the
// call refutes nothing.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif GIVEN HOOK
// RUN: %fathom confirm p --reports p.sarif --no-cache | FileCheck %s
// CHECK: confirmed: use-after-free: GIVEN
// CHECK: use-after-free: HOOK
// CHECK: 0 refuted
#include <stdlib.h>
static void (*release)(void *);
void setRelease(void (*function)(void *)) { release = function; }
static int given(void (*put)(void *)) {
  char *p = malloc(2);
  if (!p) return 0;
  *p = 1;
  put(p); // GIVEN: source
  return *p; // GIVEN
}
static int hook(void) {
  char *p = malloc(2);
  if (!p) return 0;
  *p = 1;
  if (release) release(p); // HOOK: source
  return *p; // HOOK
}
int main(int argc, char **argv) { return (argc > 1 ? given(free) : 0) + hook(); }
