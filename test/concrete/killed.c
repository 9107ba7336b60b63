// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// A process that ends itself by a signal: the same end is seen.
#include <signal.h>
#include <stdio.h>

int main(void) {
  puts("before");
  fflush(stdout);
  raise(SIGTERM);
  puts("after");
  return 0;
}
