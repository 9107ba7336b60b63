// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// _Exit does not flush; quick_exit runs its own handlers only.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void handler(void) { write(1, "quick\n", 6); }
static void never(void) { write(1, "never\n", 6); }
int main(int argc, char **argv) {
  at_quick_exit(handler), atexit(never);
  printf("lost");
  if (argc > 2) quick_exit(5);
  _Exit(6);
}
