// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrappers that are active more than once at a time, by a call for its effect or through a pointer: the inner call leaves what the outer
// one knows as it is.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds out-of-bounds-write --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 2 reports: 2 out-of-bounds-write
#include <stdlib.h>

static void *deep(size_t n, int again) {
  char *p = malloc(n);
  if (!p) exit(1);
  char *log = malloc(20);
  if (!log) exit(1);
  if (again) {
    free(deep(3, 0));
    // CHECK-DAG: recursive-copies.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte is outside
    log[25] = 1;
  }
  free(log);
  return p;
}

static void (*hook)(void);
static char *hooked(size_t n) {
  char *p = malloc(n);
  if (!p) exit(1);
  if (hook) {
    void (*once)(void) = hook;
    hook = 0;
    once();
  }
  // CHECK-DAG: recursive-copies.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write:
  p[n] = 1;
  return p;
}
static void again(void) { free(hooked(2)); }

int main(int argc, char **argv) {
  if (argc > 1) {
    free(deep(10, 1));
    return 0;
  }
  hook = again;
  free(hooked(10));
  return 0;
}
