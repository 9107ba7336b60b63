// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=leak:20
// A block whose only pointer lies in a packed structure, also across two pages of memory, is not lost; one that is overwritten is.
// (clang's leak checker looks at whole words only.)
#include <stdlib.h>

static struct __attribute__((packed)) {
  char c;
  void *p;
} small;
static struct __attribute__((packed)) {
  char c[4093];
  void *p;
} large;

int main(void) {
  small.p = malloc(8);
  large.p = malloc(16);
  small.c = 1;
  void *lost = malloc(24);
  lost = 0;
  return lost != 0;
}
