/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that are too large to look at each element.
 */
#include "input.h"
static unsigned char bytes[1000];
static int numbers[300];
int main(void) {
  int n = input(0, 299), i;
  for (i = 0; i < 300; i++) numbers[i] = 7;
  assert(numbers[n] == 7 || numbers[n] == 0);
  assert(numbers[n] == 7);
  numbers[n] = 30;
  assert(numbers[12] <= 30);
  assert(numbers[12] >= 0);
  assert(numbers[12] == 7);
  for (i = 0; i < 1000; i++) bytes[i] = (unsigned char)(i & 15);
  assert(bytes[3 * n] < 16);
  assert(bytes[3 * n] < 15);
  for (i = 0; i < n; i++) numbers[i] = i;
  assert(numbers[0] >= 0);
  assert(numbers[n] <= 299);
  return 0;
}
