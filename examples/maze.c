/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A maze that is walked by the bytes of standard input (w a s d). Reaching # is reported as a bug of kind assertion, so
 * that its test is a way out. There is one more way than meets the eye: a wall of the second row can be walked through.
 *
 *     fathom explore maze --sym-stdin 28 --search covnew
 */
#include <fathom.h>
#include <stdio.h>
#include <unistd.h>

enum { kHeight = 7, kWidth = 11, kSteps = 28 };

static char maze[kHeight][kWidth + 1] = {
    "+-+---+---+", //
    "| |     |#|", //
    "| | --+ | |", //
    "| |   | | |", //
    "| +-- | | |", //
    "|     |   |", //
    "+-----+---+",
};

static void draw(void) {
  for (int row = 0; row < kHeight; row++)
    puts(maze[row]);
}

int main(void) {
  char steps[kSteps];
  int x = 1, y = 1;
  ssize_t count = read(0, steps, sizeof steps);
  for (ssize_t i = 0; i < count; i++) {
    int oldX = x, oldY = y;
    switch (steps[i]) {
    case 'w':
      y--;
      break;
    case 's':
      y++;
      break;
    case 'a':
      x--;
      break;
    case 'd':
      x++;
      break;
    default:
      puts("only w, a, s and d are steps");
      return 1;
    }
    if (maze[y][x] == '#') {
      draw();
      puts("out!");
      fathom_assert(!"the way out");
    }
    int secret = y == 2 && maze[y][x] == '|' && x > 0 && x < kWidth - 1;
    if (maze[y][x] != ' ' && !secret) {
      x = oldX;
      y = oldY;
    }
    if (x == oldX && y == oldY) {
      puts("a wall");
      return 2;
    }
    maze[y][x] = 'X';
  }
  draw();
  puts("lost");
  return 1;
}
