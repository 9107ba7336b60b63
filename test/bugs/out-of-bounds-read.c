// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Reads past and before heap, stack and global objects, by symbolic indices and by pointers that run along.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FIXED
#define LIMIT(i, n) ((i) < (n) ? (i) : 0)
#else
#define LIMIT(i, n) (i)
#endif

static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static int global(unsigned char index) {
  return table[LIMIT(index & 15, 8)]; // BUG out-of-bounds-read
}
static int stack(unsigned char index) {
  int local[4] = {index, 2, 3, 4};
  int n = index & 7;
  return local[LIMIT(n, 4)]; // BUG out-of-bounds-read
}
static int heap(unsigned char size) {
  int n = 1;
  while (n < 4 && n < size)
    n++;
  size = (unsigned char)n;
  char *text = malloc(size);
  memset(text, 'a', size);
#ifdef FIXED
  text[size - 1] = 0;
#endif
  n = 0;
  for (char *p = text; *p; p++) // BUG out-of-bounds-read
    n++;
  free(text);
  return n;
}
static int before(unsigned char index) {
  short *v = calloc(4, sizeof *v);
  int at = (index & 3) - 1;
#ifdef FIXED
  at = at < 0 ? 0 : at;
#endif
  int r = v[at]; // BUG out-of-bounds-read
  free(v);
  return r;
}
static long partly(unsigned char offset) {
  // the last bytes of the access are outside, the first ones are not
  char buffer[12] = "hello world";
  long value;
  offset &= 7;
#ifdef FIXED
  offset = offset > 4 ? 4 : offset;
#endif
  memcpy(&value, buffer + offset, sizeof value); // BUG out-of-bounds-read
  return value;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'g': return global(in[1]) > 3;
  case 's': return stack(in[1]) > 3;
  case 'h': return heap(in[1]) & 1;
  case 'b': return before(in[1]) & 1;
  case 'p': return partly(in[1]) != 0;
  }
  return 0;
}
