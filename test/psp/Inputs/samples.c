/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What has a name at a point, and what has not. Reads two bytes.
 */
#include <assert.h>
#include <stdio.h>

struct point {
  unsigned x;
  struct { short y[4]; } in;
};
static int table[16];
static struct point global;

static int half(int n) { return n / 2; }

static int pick(struct point *p, int i) {
  if (p->in.y[i + 1] > p->x) /* signed against unsigned: no formula */
    return 1;
  if (p->in.y[i] > i)
    return 2;
  return half(i) != 3;
}

int main(void) {
  int a = getchar(), b = getchar(), late, *q = &table[a & 15];
  if (a < 0 || b < 0) return 1;
  table[a & 15] = b;
  global.x = 3;
  global.in.y[2] = (short)b;
  if (*q > 200) late = 1;
  else return 2;
  assert(table[a & 15] + 55 >= 256 - late);
  if (100 % (b - 199) == 1) return 3;
  return pick(&global, a & 1);
}
