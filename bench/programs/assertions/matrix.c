/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two dimensions.
 */
#include "input.h"
static int m[4][6], sums[4];
int main(void) {
  int rows = input(1, 4), columns = input(1, 6), i, j;
  for (i = 0; i < rows; i++)
    for (j = 0; j < columns; j++) m[i][j] = i + j;
  assert(m[0][0] >= 0);
  assert(m[3][5] <= 8);
  assert(m[rows - 1][columns - 1] >= 0);
  assert(m[rows - 1][columns - 1] == rows + columns - 2);
  assert(m[rows - 1][0] < 3);
  for (i = 0; i < rows; i++) {
    sums[i] = 0;
    for (j = 0; j < columns; j++) {
      assert(m[i][j] >= 0);
      sums[i] += m[i][j] > 0;
    }
    assert(sums[i] >= 0);
  }
  assert(sums[0] >= 0);
  int *flat = &m[0][0];
  assert(flat[7] >= 0);
  assert(flat[7] == m[1][1]);
  return 0;
}
