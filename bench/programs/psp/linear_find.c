/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linear search for symbolic keys in a symbolic array.
 */
#define ELEMENT small(15)
#include "input.h"

int main(void) {
  int a[N];
  fill(a);
  for (int query = 0; query < QUERIES; query++) {
    int key = small(15), at = 0;
    while (at < N && a[at] != key) at++;
    if (at < N) assert(a[at] == key);
  }
  return 0;
}
