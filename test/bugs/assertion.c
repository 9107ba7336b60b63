// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --replay
// assert() with conditions that need arithmetic to break.
#include <assert.h>
#include <unistd.h>

static unsigned squareRoot(unsigned x) {
  unsigned r = 0;
  while ((r + 1) * (r + 1) <= x)
    r++;
  return r;
}
int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] == 'a') {
    unsigned char sum = (unsigned char)(in[1] + in[2]);
#ifndef FIXED
    assert(sum >= in[1]); // BUG assertion
#endif
    return sum & 1;
  }
  if (in[0] == 'b') {
    unsigned x = in[1] * 251u;
#ifdef FIXED
    assert(x < 65536);
#else
    assert(x != 251u * 77); // BUG assertion
#endif
  }
  if (in[0] == 'c') {
    unsigned r = squareRoot(in[1] & 63);
    assert(r * r <= (in[1] & 63u));
    assert(r < 8);
  }
  return 0;
}
