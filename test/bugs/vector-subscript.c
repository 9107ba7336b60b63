// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize none
// Subscripts of vectors, which are in registers: no address is out of bounds.
#include <unistd.h>
typedef int v4 __attribute__((vector_size(16)));
#ifdef FIXED
#define LANE(i) ((i) & 3)
#else
#define LANE(i) (i)
#endif

static int constant(v4 v) {
  return v[LANE(7)]; // BUG out-of-bounds-read
}
static int variable(v4 v, unsigned char i) {
  return v[LANE(i)]; // BUG out-of-bounds-read
}
static int concrete(v4 v) {
  volatile int i = 5;
  return v[LANE(i)]; // BUG out-of-bounds-read
}
static int written(v4 v, unsigned char i) {
  v[LANE(i)] = 1; // BUG out-of-bounds-write
  return v[0];
}
static int writtenConstant(v4 v) {
  v[LANE(4)] = 1; // BUG out-of-bounds-write
  return v[0];
}

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, sizeof in);
  v4 v = {in[0], 2, 3, 4};
  switch (in[0]) {
  case 'c': return constant(v);
  case 'v': return variable(v, in[1]);
  case 'k': return concrete(v);
  case 'w': return written(v, in[1]);
  case 'W': return writtenConstant(v);
  }
  return 0;
}
