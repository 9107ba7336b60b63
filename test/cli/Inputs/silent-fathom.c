/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A harness that reads one byte too much, which nothing shows natively.
 */
#include <fathom.h>
#include <stdlib.h>

int main(void) {
  char *buffer = calloc(4, 1);
  volatile char byte = buffer[fathom_range(0, 4, "index")];
  (void)byte;
  free(buffer);
  return 0;
}
