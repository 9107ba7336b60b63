/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The least and the greatest element of a symbolic array.
 */
#include "input.h"

int main(void) {
  int a[N];
  fill(a);
  int least = a[0], greatest = a[0];
  for (int i = 1; i < N; i++) {
    if (a[i] < least) least = a[i];
    if (a[i] > greatest) greatest = a[i];
  }
  for (int i = 0; i < N; i++) assert(a[i] >= least && a[i] <= greatest);
  return 0;
}
