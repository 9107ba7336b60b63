/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 131,072 paths, each with a test. */
#include <unistd.h>
int main(void) {
  unsigned char b[3] = {0};
  int n = 0;
  if (read(0, b, 3) != 3) return 1;
  for (int i = 0; i < 17; i++)
    if (b[i / 8] >> (i % 8) & 1) n++;
  return n;
}
