// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// String functions written by hand: comparing, copying, finding, reversing.
enum { SIZE = 4, LIMIT = 4 };
#define BYTES_BELOW
#include "oracle.h"

static int compare(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a - *b;
}
static const char *find(const char *text, const char *what) {
  for (; *text; text++) {
    const char *t = text, *w = what;
    while (*w && *t == *w)
      t++, w++;
    if (!*w)
      return text;
  }
  return 0;
}
static int program(const unsigned char *in) {
  char text[SIZE + 1] = {0}, copy[SIZE + 1];
  memcpy(text, in, SIZE);
  int n = 0;
  while ((copy[n] = text[n]))
    n++;
  for (int i = 0; i < n / 2; i++) {
    char t = copy[i];
    copy[i] = copy[n - 1 - i], copy[n - 1 - i] = t;
  }
  const char *at = find(text, "\1\2");
  return n * 20 + (compare(text, copy) == 0) * 10 + (at ? (int)(at - text) : 9);
}
