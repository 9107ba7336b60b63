/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: product
 * input: --sym-stdin 3
 * Sums of cubes, and a number of Pythagoras. */
#include <unistd.h>

unsigned product(unsigned a, unsigned b) { return a * b; }

int main(void) {
  unsigned char in[3] = {0};
  read(0, in, 3);
  unsigned a = in[0], b = in[1], c = in[2];
  unsigned aa = product(a, a), bb = product(b, b), cc = product(c, c);
  if (a && b && product(aa, a) + product(bb, b) == 1729) return 1;
  if (a > 20 && b > a && aa + bb == cc) return 2;
  if (product(aa, b) == 31213) return 3; /* 7^4 * 13 */
  if (aa > cc + bb && product(b, c) == 221) return 4;
  return product(product(a, b), c) > 10000000 ? 5 : 0;
}
