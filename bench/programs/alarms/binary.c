/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Searching in a sorted table.
 */
#include "input.h"

#include "at.h"

static int table[30];
int main(void) {
  int wanted = input(0, 1000), low = 0, high = 30;
  for (int k = 0; k < 30; k++) table[k] = k * k;
  while (low < high) {
    int middle = (low + high) / 2;
    assert(middle < high);
    if (table[AT(middle, 30)] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  assert(low <= 30);
  if (low == 30) return 1;
  assert(table[AT(low, 30)] >= wanted);
  assert(low == 0 || table[AT(low - 1, 30)] < wanted);
  assert(table[AT(low, 30)] - wanted < 57);
  return 0;
}
