// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two calls of an allocator in one line make two objects that read alike: an alarm names them once.
// RUN: %fathom scan --all %s --no-cache --kinds out-of-bounds-write | FileCheck %s
// CHECK: in the memory of xmalloc at line [[#]] (4 bytes)
// CHECK-NOT: or the memory of xmalloc
// RUN: %fathom scan %s --no-cache --assertions | FileCheck %s --check-prefix=FACT
// FACT: p = &xmalloc at line [[#]]{{$}}
#include <stdlib.h>
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) exit(1);
  return p;
}
int main(int argc, char **argv) {
  char *p = argc > 2 ? xmalloc(4) : xmalloc(4);
  p[argc] = 1;
  return *p;
}
