// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Writes past heap, stack and global objects: off by one, by a length that is believed, by memset, in a structure's array.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct packet {
  unsigned char length;
  char payload[6];
};
static char name[4];

static void offByOne(unsigned char n) {
  char *buffer = malloc(5);
  n &= 7;
#ifdef FIXED
  n = n > 4 ? 4 : n;
#endif
  buffer[n] = 'x'; // BUG out-of-bounds-write
  free(buffer);
}
static void loop(unsigned char n) {
  int local[3];
#ifdef FIXED
  n %= 4;
#else
  n %= 5;
#endif
  for (int i = 0; i < n; i++)
    local[i] = i; // BUG out-of-bounds-write
}
static void global(unsigned char at, char c) {
#ifdef FIXED
  at &= 3;
#else
  at &= 7;
#endif
  name[at] = c; // BUG out-of-bounds-write
}
static int structure(unsigned char length) {
  struct packet *p = calloc(1, sizeof *p);
  p->length = length % 9;
#ifdef FIXED
  if (p->length > sizeof p->payload)
    p->length = sizeof p->payload;
#endif
  for (int i = 0; i < p->length; i++)
    p->payload[i] = 'a'; // BUG out-of-bounds-write
  int r = p->payload[0] == 'a' && p->length;
  free(p);
  return r;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] == 'o')
    offByOne(in[1]);
  else if (in[0] == 'l')
    loop(in[1]);
  else if (in[0] == 'g')
    global(in[1], (char)in[2]);
  else if (in[0] == 's')
    return structure(in[1]);
  return name[0];
}
