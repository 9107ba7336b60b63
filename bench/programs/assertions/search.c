/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Looking for something in an array.
 */
#include "input.h"
static int keys[6] = {2, 4, 8, 16, 32, 64};
static int find(int key) {
  for (int i = 0; i < 6; i++)
    if (keys[i] == key) return i;
  return -1;
}
static int lower(int key) {
  int low = 0, high = 6;
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
int main(void) {
  int key = input(0, 70), at = find(key), place = lower(key);
  assert(at >= -1 && at <= 5);
  assert(at >= 0);
  if (at >= 0) assert(keys[at] >= 2);
  if (at >= 0) assert(keys[at] == key);
  assert(place >= 0);
  assert(place <= 6);
  assert(place < 6);
  if (place < 6) assert(keys[place] <= 64);
  if (place < 6) assert(keys[place] >= key);
  int sorted = 1;
  for (int i = 1; i < 6; i++)
    if (keys[i - 1] > keys[i]) sorted = 0;
  assert(sorted == 1);
  assert(sorted == 0 || sorted == 1);
  return 0;
}
