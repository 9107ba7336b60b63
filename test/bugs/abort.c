// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --replay --sanitize none
// abort(), raise(SIGABRT).
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(void) {
  abort(); // BUG abort
}
int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
#ifndef FIXED
  if (in[0] == 'a' && in[1] == (in[2] ^ 0x5a))
    fail();
  if (in[0] == 'r' && in[1] * in[2] == 221)
    raise(SIGABRT); // BUG abort
#endif
  (void)fail;
  return 0;
}
