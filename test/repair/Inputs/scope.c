/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What can be read at a line: a global variable, a place, the outer one of two names; not the inner
 * one, and nothing that comes later.
 */
#include <stdio.h>

static int limit = 5;
struct box {
  int n;
  struct box *next;
};

static int over(const struct box *b, int kept) {
  if (b->next) {
    long limit = 1;
    kept += (int)limit;
  }
  return b->n > kept;
}

int main(void) {
  struct box b = {0, 0};
  if (scanf("%d %d", &b.n, &limit) < 1) return 1;
  printf("%d\n", over(&b, 3));
  return 0;
}
