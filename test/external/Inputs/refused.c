/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls a function that takes a structure by value, on one of two paths.
 */
#include "records.h"

#include <unistd.h>

int main(void) {
  struct large value = {{1, 2, 3, 4}};
  char in = 0;
  read(0, &in, 1);
  if (in == 'f') return (int)first(value);
  return 0;
}
