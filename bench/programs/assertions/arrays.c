/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small arrays, and what is in them.
 */
#include "input.h"
static int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int zeros[6];
int main(void) {
  int at = input(0, 7), i, most = table[0], row[5];
  assert(table[5] == 9);
  assert(table[at] >= 1 && table[at] <= 9);
  assert(table[at] != 7);
  assert(table[at] > 1);
  for (i = 1; i < 8; i++)
    if (table[i] > most) most = table[i];
  assert(most >= 3);
  assert(most <= 9);
  assert(most == 9);
  for (i = 0; i < 5; i++) row[i] = i * i;
  assert(row[4] <= 16);
  assert(row[0] >= 0);
  assert(row[2] == 4);
  assert(zeros[at % 6] == 0);
  zeros[2] = 7;
  assert(zeros[2] == 7);
  assert(zeros[3] == 0);
  zeros[at % 6] = 5;
  assert(zeros[at % 6] == 5);
  assert(zeros[1] == 0 || zeros[1] == 5);
  assert(zeros[2] == 7);
  table[at] = 20;
  assert(table[0] <= 20);
  assert(table[0] == 3);
  return 0;
}
