// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t -- --sym-args 0 2 3
// The input of a bug found through arguments: the right number of them, replayed natively.
#include <string.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 3)
    return 0;
  if (strcmp(argv[1], "-f") != 0)
    return 1;
  char *copy = malloc(3);
#ifdef FIXED
  strncpy(copy, argv[2], 2), copy[2] = 0;
#else
  strcpy(copy, argv[2]); // BUG out-of-bounds-write
#endif
  int r = copy[0] == 'x';
  free(copy);
  return r;
}
