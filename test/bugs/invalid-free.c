// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// free of what malloc did not return: the middle of a block, a local variable, a global, a string.
#include <stdlib.h>
#include <unistd.h>

static char global[16];

static void middle(int c) {
  char *p = calloc(2, 1);
  char *at = p + (c == 7);
#ifdef FIXED
  at = p;
#endif
  free(at); // BUG invalid-free
}
static void other(int c) {
  char local[16];
  char *p = c == 's' ? local : c == 'g' ? global : malloc(16);
#ifdef FIXED
  if (p != local && p != global)
#endif
  free(p); // BUG invalid-free
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] == 'm')
    middle(in[1]);
  else if (in[0] == 'o')
    other(in[1]);
  return 0;
}
