/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structures, in structures, in arrays.
 */
#include "input.h"
struct point {
  int x, y;
};
struct box {
  struct point low, high;
  short tag;
  unsigned char color;
};
static struct box boxes[3];
static struct point moved(struct point p, int by) {
  p.x += by;
  return p;
}
int main(void) {
  int by = input(1, 6), at = input(0, 2);
  struct box b = {{1, 2}, {11, 12}, 3, 200};
  b.high = moved(b.high, by);
  assert(b.low.x < b.high.x);
  assert(b.high.y == 12);
  assert(b.high.x <= 17);
  assert(b.high.x == 17);
  assert(b.tag == 3);
  assert(b.color <= 200);
  struct box c = b, *to = &c;
  to->low.x = 100;
  assert(b.low.x == 1);
  assert(c.low.x == 100);
  assert(c.high.y == 12);
  boxes[at].tag = 5;
  assert(boxes[at].tag == 5);
  assert(boxes[1].tag == 0 || boxes[1].tag == 5);
  assert(boxes[1].color == 0);
  assert(boxes[1].tag == 0);
  for (int i = 0; i < 3; i++) boxes[i].low.y = i;
  assert(boxes[2].low.y <= 2);
  assert(boxes[0].low.y >= 0);
  return 0;
}
