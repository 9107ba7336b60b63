// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Accesses far outside of their object, on the stack, on the heap and in static memory: none may land in another object, live or
// dead, and each is told as one of the object that the address was computed from.
// RUN: cat %t.out/bugs/*/bug.json > %t.bugs
// RUN: FileCheck %s --input-file %t.bugs
// CHECK-DAG: write of 1 byte at offset 512 of a 100-byte stack object 'near'
// CHECK-DAG: write of 1 byte at offset -200 of a 100-byte stack object 'near'
// CHECK-DAG: write of 1 byte at offset 400000 of a 100-byte stack object 'near'
// CHECK-DAG: read of 1 byte at offset 256 of a 32-byte stack object 'small'
// CHECK-DAG: write of 1 byte at offset -8 of a 24-byte heap object
// CHECK-DAG: write of 1 byte at offset 1000000 of a 24-byte heap object
// CHECK-DAG: read of 1 byte at offset 4096 of a 100-byte global object 'table'
// CHECK-DAG: write of 1 byte at offset 512 of a 100-byte global object 'table'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char table[100], other[100];

#ifdef FIXED
#define AT(wrong, right) (right)
#else
#define AT(wrong, right) (wrong)
#endif

static int twice(int n) { // leaves dead objects behind
  char small[32], more[32];
  memset(small, n, sizeof small);
  memset(more, n, sizeof more);
  return small[n & 31] + more[n & 31];
}
static int stack(char how) {
  char near[100], far[100], small[32];
  memset(near, 0, sizeof near);
  memset(far, 0, sizeof far);
  memset(small, 0, sizeof small);
  volatile int at = AT(512, 5);
  if (how == '0') near[at] = 1; // BUG out-of-bounds-write
  at = AT(-200, 5);
  if (how == '1') near[at] = 1; // BUG out-of-bounds-write
  at = AT(400000, 5);
  if (how == '2') near[at] = 1; // BUG out-of-bounds-write
  at = AT(256, 5);
  if (how == '3') return small[at]; // BUG out-of-bounds-read
  return near[1] + far[1];
}
static int heap(char how) {
  char *p[8];
  for (int i = 0; i < 8; i++) p[i] = calloc(1, 24);
  for (int i = 0; i < 8; i += 2) free(p[i]);
  volatile long at = AT(-8, 5);
  if (how == '4') p[3][at] = 1; // BUG out-of-bounds-write
  at = AT(1000000, 5);
  if (how == '5') p[5][at] = 1; // BUG out-of-bounds-write
  for (int i = 1; i < 8; i += 2) free(p[i]);
  return 0;
}
static int global(char how, unsigned char c) {
  int at = AT(4096, 99);
  if (how == '6') return table[c == 'x' ? at : 0]; // BUG out-of-bounds-read
  at = AT(512, 99);
  if (how == '7') table[(c & 1) * at] = 1; // BUG out-of-bounds-write
  return other[0];
}

int main(void) {
  char in[2] = {0};
  read(0, in, sizeof in);
  return (twice(in[1] & 3) + stack(in[0]) + heap(in[0]) + global(in[0], (unsigned char)in[1])) & 1;
}
