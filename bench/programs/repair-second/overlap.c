/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much two intervals have in common, and what is between them.
 */
#include <stdio.h>

static int larger(int a, int b) {
  if (a > b) return a;
  return b;
}
static int smaller(int a, int b) {
  if (a < b) return a;
  return b;
}
int main(void) {
  int a, b, c, d, begin, end, common = 0, gap = 0;
  if (scanf("%d %d %d %d", &a, &b, &c, &d) != 4) return 1;
  if (a < 0 || b < a || b > 100 || c < 0 || d < c || d > 100) return 1;
  begin = larger(a, c);
  end = smaller(b, d);
  if (begin <= end)
    common = end - begin + 1;
  else
    gap = begin - end - 1;
  printf("%d in common, %d between\n", common, gap);
  return 0;
}
