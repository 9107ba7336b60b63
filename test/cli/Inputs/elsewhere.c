// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -DELSEWHERE each error is of the same kind, and at another line.
#include <stdlib.h>

char *volatile kept;

static int used(char *block) {
  free(block);
#ifdef ELSEWHERE
  int n = 1;
  return n + block[0];
#else
  return 1 + block[0];
#endif
}
int main(int argc, char **argv) {
  if (argc < 2) return 0;
  if (argv[1][0] == 'l') {
#ifdef ELSEWHERE
    kept = malloc(8);
#else
    kept = malloc(16);
#endif
    kept = 0;
    return 3;
  }
  char *block = malloc(4);
  if (!block) return 1;
  block[0] = 7;
  if (argv[1][0] == 'u') return used(block);
  free(block);
  return 0;
}
