// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=6 statuses=0,1,2 bugs=out-of-bounds-read:34,out-of-bounds-read:39
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces all 6 agree
//
// An address that is computed as a number is where the number says: from one object to another by their distance, and back. Where it is
// in none, the access is out of bounds, and so is an index that leads from one object into another.
#include <fathom.h>
#include <stdint.h>
#include <stdlib.h>

static char a[16] = "first", b[16] = "second";

int main(void) {
  unsigned char in[2], which, x;
  fathom_bytes(in, sizeof in, "in");
  which = in[0], x = in[1];
  uintptr_t distance = (uintptr_t)b - (uintptr_t)a;
  const char *p;
  switch (which) {
  case 0: // x chooses
    fathom_assume(x < 2);
    p = (const char *)((uintptr_t)a + x * distance);
    if (*p == 's') return x == 1 ? 1 : 9;
    if (*p == 'f') return x == 0 ? 0 : 9;
    return 9;
  case 1: // a mask chooses, as code without branches does it
    p = (const char *)((uintptr_t)a ^ (((uintptr_t)a ^ (uintptr_t)b) & -(uintptr_t)(x & 1)));
    if (*p == 's') return x & 1 ? 2 : 9;
    return x & 1 ? 9 : 0;
  case 2: // at the end of the second: not all bytes are there
    fathom_assume(x < 2);
    p = (const char *)((uintptr_t)a + x * (distance + 12));
    if (*(const uint64_t *)p == 7) return 3; // BUG
    return 0;
  default: // an index
    fathom_assume(which == 3);
    p = (const char *)((uintptr_t)a + x);
    if (*p == 'q') return 3; // BUG
    return 0;
  }
}
