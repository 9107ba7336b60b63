// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches of all kinds behind which assertions are planted: of bits, sums, bytes and numbers that are read through pointers.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct head {
  unsigned char flags, kind;
  int count, left;
};

static int weigh(struct head *h, const unsigned char *text) {
  int weight = 0;
  if (h->flags & 4) weight += 1;
  if ((h->flags & 24) == 0) weight += 2;
  if (h->kind == 'p') weight += 4;
  if (h->kind != '(') weight += 8;
  if (h->count < 100) weight += 16;
  if (h->count + 3 > h->left) weight += 32;
  if (h->left <= 20) weight += 64;
  for (int i = 0; i < 2; i++) {
    if (text[i] == ',') h->left--;
    if (text[i] >= h->kind) weight += 128;
  }
  return weight;
}

int main(void) {
  unsigned char text[6];
  if (read(0, text, sizeof text) != (ssize_t)sizeof text) return 1;
  struct head *h = malloc(sizeof *h);
  if (!h) return 1;
  h->flags = text[0], h->kind = text[1], h->count = text[2], h->left = text[3];
  printf("%d\n", weigh(h, text + 4));
  free(h);
  return 0;
}
