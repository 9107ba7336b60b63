// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [merging23] Fig. 1, 2: how many of the first n bytes are among `chars`.
// RUN: %merges %s %t --patterns 2
// RUN: %merges %s %t.ab --patterns 2 --cc=-DWITH_B
#include "Inputs/tell.h"
#include <stddef.h>
#ifndef MOST
#define MOST 5
#endif
#ifdef WITH_B
#define CHARS "ab"
#else
#define CHARS "a"
#endif
static int memspn(char *s, size_t n, const char *chars) {
  const char *p = chars;
  int count = 0;
  while (*p && count < n) {
    if (s[count] == *p) {
      count++;
      p = chars;
    } else
      p++;
  }
  return count;
}
int main(void) {
  static char s[MOST];
  size_t n;
  fathom_symbolic(s, sizeof s, "s");
  fathom_symbolic(&n, sizeof n, "n");
  fathom_assume(n <= MOST);
  int count = memspn(s, n, CHARS);
  tell(count);
  return 100;
}
