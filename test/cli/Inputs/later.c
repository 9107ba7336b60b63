/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A read behind an array, which does no harm by itself, and what it leads to; and an access through null. */
#include <stdlib.h>
#include <unistd.h>

static int numbers[4] = {1, 2, 3, 4};

int main(void) {
  char c = 0;
  int index = 2, *none = 0;
  read(0, &c, 1);
  if (c == 'x') index = 4;
  if (c == 'n') return *none;
  int number = numbers[index];
  if (number == 0) abort();
  return 0;
}
