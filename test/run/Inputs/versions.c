/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Two versions: the second (-DSECOND) repairs the division, keeps the abort, and adds a null pointer. */
#include <stdio.h>
#include <stdlib.h>

#ifdef SECOND
static int moved;
#define DIVISOR(x) ((x) == 7 ? 1 : (x) - 7)
#endif

static int ratio(int x) {
#ifdef SECOND
  return 100 / DIVISOR(x);
#else
  return 100 / (x - 7);
#endif
}

static int pick(const unsigned char *p) {
  if (p[1] == 'Q' && p[2] > 'x') abort();
  return p[2];
}

#ifdef SECOND
static int fill(const unsigned char *p) {
  int *to = p[1] == 'U' ? 0 : &moved;
  return *to;
}
#endif

int main(void) {
  unsigned char p[8] = {0};
  if (fread(p, 1, sizeof p, stdin) < 3) return 1;
  if (p[0] == 'A') return ratio(p[1]) & 1;
  if (p[0] == 'P') return pick(p) & 1;
#ifdef SECOND
  if (p[0] == 'N') return fill(p) & 1;
#endif
  return 0;
}
