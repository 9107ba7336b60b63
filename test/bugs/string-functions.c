// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize address
// Overflows inside libc's string functions: the report's line is the program's own call.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(const char *from) {
  char *to = malloc(3);
#ifdef FIXED
  if (strlen(from) < 3)
#endif
    strcpy(to, from); // BUG out-of-bounds-write
  free(to);
}
static void fill(unsigned char n) {
  char to[5];
#ifdef FIXED
  n = n % 6;
#else
  n = n % 8;
#endif
  memset(to, 0, n); // BUG out-of-bounds-write
}
static int compare(unsigned char n) {
  char *a = malloc(2);
  a[0] = 'a', a[1] = 'b';
#ifdef FIXED
  n = n % 3;
#else
  n = n % 4;
#endif
  int r = memcmp(a, "abcd", n); // BUG out-of-bounds-read
  free(a);
  return r;
}
static int length(char c) {
  char *a = malloc(2);
  a[0] = 'x', a[1] = c;
#ifdef FIXED
  a[1] = 0;
#endif
  int r = (int)strlen(a); // BUG out-of-bounds-read
  free(a);
  return r;
}

int main(void) {
  char in[5] = {0};
  read(0, in, 4);
  switch (in[0]) {
  case 'c': copy(in + 1); break;
  case 'f': fill((unsigned char)in[1]); break;
  case 'm': return compare((unsigned char)in[1]);
  case 'l': return length(in[1]);
  }
  return 0;
}
