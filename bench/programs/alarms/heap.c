/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A block whose size is computed.
 */
#include "input.h"

#include "at.h"

int main(void) {
  int rows = input(1, 12), columns = input(1, 12), row = input(0, 12), column = input(0, 12);
  if (row >= rows || column >= columns) return 1;
  char *cells = malloc((unsigned long)(rows * columns));
  if (!cells) return 2;
  cells[AT(row * columns + column, rows * columns)] = 1;
  int next = row * columns + column + columns;
  if (row + 1 < rows) cells[AT(next, rows * columns)] = 2;
  int left = row * columns + column - 1;
  if (column) cells[AT(left, rows * columns)] = 3;
  assert(rows * columns <= 144);
  assert(next < 156);
  assert(left < 142);
  return 0;
}
