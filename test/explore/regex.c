// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// The small matcher of regular expressions, on a symbolic expression over four letters.
enum { SIZE = 4, LIMIT = 5 };
#define BYTES_BELOW
#include "oracle.h"
// 0 ends, 1 'a', 2 '.', 3 '*', 4 'b'

static int here(const char *pattern, const char *text);
static int star(char c, const char *pattern, const char *text) {
  do {
    if (here(pattern, text))
      return 1;
  } while (*text && (*text++ == c || c == 2));
  return 0;
}
static int here(const char *pattern, const char *text) {
  if (!pattern[0])
    return 1;
  if (pattern[1] == 3)
    return star(pattern[0], pattern + 2, text);
  if (*text && (pattern[0] == 2 || pattern[0] == *text))
    return here(pattern + 1, text + 1);
  return 0;
}
static int program(const unsigned char *in) {
  char pattern[SIZE + 2] = {0};
  memcpy(pattern, in, SIZE);
  const char text[] = {1, 4, 1, 0};
  for (const char *t = text;; t++) {
    if (here(pattern, t))
      return (int)(t - text);
    if (!*t)
      return 9;
  }
}
