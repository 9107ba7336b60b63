// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize none
// The result of a function that gives none, where it decides.
#include <unistd.h>

static void nothing(void) {}
static int zero(void) { return 0; }

int main(void) {
  char in = 0;
  read(0, &in, 1);
#ifdef FIXED
  int (*volatile f)(void) = zero;
#else
  int (*volatile f)(void) = in == 'n' ? (int (*)(void))nothing : zero;
#endif
  if (f()) // BUG uninitialized-read
    return 1;
  return 0;
}
