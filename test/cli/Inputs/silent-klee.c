/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The same with KLEE's header.
 */
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned index;
  char *buffer = calloc(4, 1);
  klee_make_symbolic(&index, sizeof index, "index");
  klee_assume(index <= 4);
  volatile char byte = buffer[index];
  (void)byte;
  free(buffer);
  return 0;
}
