/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: power
 * input: --sym-stdin 4
 * Powers modulo a prime: roots, inverses, and one number that hides a secret. */
#include <unistd.h>

unsigned power(unsigned base, unsigned exponent, unsigned modulus) {
  unsigned long result = 1, square = base % modulus;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) result = result * square % modulus;
    square = square * square % modulus;
  }
  return (unsigned)result;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, 4);
  const unsigned p = 257;
  unsigned x = in[0], y = in[1];
  if (power(x, 2, p) == 2) return 1;
  if (power(3, y, p) == 100) return power(3, in[2], p) == 200 ? 2 : 3;
  if (x > 1 && power(x, 8, p) == 1) return 4;
  unsigned key = power(5, (unsigned)in[2] << 8 | in[3], 65521);
  if (key == 4711) return 5;
  if (key > 65000) return 6;
  return 0;
}
