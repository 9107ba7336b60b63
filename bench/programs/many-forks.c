/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 2^19 paths with next to no work on each: what is left is the cost of states, searchers and
 * hand-overs.
 */
#include <fathom.h>

int main(void) {
  unsigned char in[19];
  unsigned count = 0;
  fathom_bytes(in, sizeof in, "in");
  for (int i = 0; i < 19; i++)
    if (in[i] > 'm') count++;
  return (int)(count & 15);
}
