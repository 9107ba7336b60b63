// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Variable arguments of type __int128: in registers they are two unaligned halves, on the stack they are aligned to 16 bytes.
#include <stdarg.h>
#include <stdio.h>

static void show(const char *spec, ...) {
  va_list ap;
  va_start(ap, spec);
  for (const char *p = spec; *p; p++)
    if (*p == 'i')
      printf("%d ", va_arg(ap, int));
    else {
      __int128 w = va_arg(ap, __int128);
      printf("%llx%016llx ", (unsigned long long)(w >> 64), (unsigned long long)w);
    }
  va_end(ap);
  puts("");
}
int main(void) {
  show("w", (__int128)-5);
  show("iw", 1, (__int128)1 << 90);
  // All six registers used exactly, then memory. (With one register left clang itself passes and reads a __int128 in different places.)
  show("iwiiww", 1, (__int128)1 << 90, 3, 4, (__int128)6, (__int128)-7);
  return 0;
}
