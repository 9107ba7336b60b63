/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Is one symbolic array a permutation of the other?
 */
#define ELEMENT small(7)
#include "input.h"

int main(void) {
  int a[N], b[N], used[N] = {0}, matched = 0;
  fill(a);
  fill(b);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (!used[j] && a[i] == b[j]) {
        used[j] = 1;
        matched++;
        break;
      }
  if (matched == N)
    for (int i = 0; i < N; i++) {
      int found = 0;
      for (int j = 0; j < N; j++) found |= b[i] == a[j];
      assert(found);
    }
  return 0;
}
