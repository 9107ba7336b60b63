/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not in musl. Programs with gnulib bring one of their own where libc has none, and that one reads
 * whole words past the end of the object.
 */
#define _GNU_SOURCE
#include <string.h>

void *rawmemchr(const void *s, int c) {
  const unsigned char *p = s;
  while (*p != (unsigned char)c) p++;
  return (void *)p;
}
