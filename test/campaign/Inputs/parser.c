// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small format with rare parts: a magic word, a checksum of one byte, and three bugs.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int depth(const unsigned char *text, int length, int level) {
  if (level < length && text[level] == '(') return depth(text, length, level + 1) + 1;
  return 0;
}

static int number(const unsigned char *text, int length) {
  int value = 0;
  for (int i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++)
    value = value * 10 + (text[i] - '0');
  return value;
}

static void word(const unsigned char *text, int length) {
  if (length >= 4 && memcmp(text, "save", 4) == 0)
    puts("saved");
  else if (length >= 4 && memcmp(text, "load", 4) == 0)
    puts("loaded");
  else if (length >= 4 && memcmp(text, "boom", 4) == 0)
    assert(!"boom");
}

int main(int argc, char **argv) {
  unsigned char text[64];
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : stdin;
  if (!in) return 2;
  int length = (int)fread(text, 1, sizeof text, in);
  if (length == 0) return 1;
  switch (text[0]) {
  case '(': printf("%d\n", depth(text, length, 0)); break;
  case '0':
  case '1':
  case '2': printf("%d\n", 100 / (number(text, length) - 13)); break;
  case '"': word(text + 1, length - 1); break;
  case '#':
    for (int i = 1; i < length; i++)
      if (text[i] == '\n') puts("comment");
    break;
  case 'z':
    if (length > 2 && text[1] == 'z' && text[2] > 'y') *(volatile int *)0 = 1;
    break;
  default: return 3;
  }
  return 0;
}
