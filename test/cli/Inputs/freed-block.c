/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The only block of its size: its memory is unmapped when it is freed. */
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char c = 0;
  read(0, &c, 1);
  char *block = malloc(3000);
  if (!block) return 1;
  block[9] = c;
  if (c == 'f') free(block);
  return block[9] == 3;
}
