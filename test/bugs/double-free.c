// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// The same pointer freed twice: straight, through an alias, after realloc to another place, on an error path.
#include <stdlib.h>
#include <unistd.h>

struct buffer {
  char *data;
  int failed;
};

static void straight(int c) {
  void *p = malloc(10);
  free(p);
#ifdef FIXED
  p = NULL;
#endif
  if (c > 200)
    free(p); // BUG double-free
}
static void release(struct buffer *b) {
  free(b->data); // BUG double-free
#ifdef FIXED
  b->data = NULL;
#endif
}
static void errorPath(int c) {
  struct buffer b = {malloc(4), c == 0x42};
  if (b.failed)
    release(&b);
  release(&b);
}
static void old(int c) {
  char *p = malloc(4);
  char *q = realloc(p, 64);
  free(q);
#ifndef FIXED
  if (c == 'q')
    free(p); // BUG double-free
#endif
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] == 1)
    straight(in[1]);
  if (in[0] == 2)
    errorPath(in[1]);
  if (in[0] == 3)
    old(in[1]);
  return 0;
}
