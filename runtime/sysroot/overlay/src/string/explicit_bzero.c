/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Volatile stores in place of musl's memset behind an empty inline assembly.
 */
#define _BSD_SOURCE
#include <string.h>

void explicit_bzero(void *d, size_t n) {
  volatile unsigned char *p = d;
  while (n--) *p++ = 0;
}
