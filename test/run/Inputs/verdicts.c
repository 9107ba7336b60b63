/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Two reports of fathom scan: the first is refuted, the second confirmed. */
#include <stdio.h>
static int x = 4;
static int pick(unsigned n) {
  int *p = 0;
  if (n * n == 49) p = &x;
  if (n == 7) return *p;
  return 0;
}
static int take(int n) {
  int *p = 0;
  if (n > 'k') p = &x;
  if (n > 'j') return *p;
  return 1;
}
int main(void) {
  int n = getchar();
  return (pick((unsigned)n) + take(n)) & 1;
}
