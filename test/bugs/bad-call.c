// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize none
// Calls through pointers that are no function of that type.
#include <stdint.h>
#include <unistd.h>

static int one(int a) { return a + 1; }
static long three(long a, long b, long c) { return a + b + c; }
static char data[64];

static int byType(int c) {
  void *f = (void *)one;
#ifndef FIXED
  if (c == 't')
    f = (void *)three;
#endif
  return ((int (*)(int))f)(c); // BUG bad-call
}
static int wild(int c) {
  uintptr_t f = (uintptr_t)one;
#ifndef FIXED
  if (c == 'w')
    f = (uintptr_t)data;
#endif
  return ((int (*)(int))f)(c); // BUG bad-call
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] == 1)
    return byType(in[1]);
  if (in[0] == 2)
    return wild(in[1]);
  return (int)three(0, 0, 0);
}
