// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// A walk through a small maze: most steps run into a wall.
enum { SIZE = 7, LIMIT = 4 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  static const char maze[5][6] = {"#####", "# # #", "# #.#", "#   #", "#####"};
  int x = 1, y = 1;
  for (int i = 0; i < SIZE; i++) {
    switch (in[i]) {
    case 0: y--; break;
    case 1: y++; break;
    case 2: x--; break;
    case 3: x++; break;
    }
    if (maze[y][x] == '#')
      return i;
    if (maze[y][x] == '.')
      return 100 + i;
  }
  return 50;
}
