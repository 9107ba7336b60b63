/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The folder of a symbolic path of LENGTH characters.
 */
#include "input.h"

int main(void) {
  char path[LENGTH + 1];
  if (read(0, path, LENGTH) != LENGTH) return 2;
  path[LENGTH] = 0;
  int n = 0;
  while (path[n]) n++;
  int end = n;
  while (end > 1 && path[end - 1] == '/') end--;
  while (end > 0 && path[end - 1] != '/') end--;
  while (end > 1 && path[end - 1] == '/') end--;
  assert(end <= n);
  if (end > 1) assert(path[end - 1] != '/');
  return 0;
}
