/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Minutes from one time of day to another, by day and by night.
 */
#include <stdio.h>

int main(void) {
  int h1, m1, h2, m2, begin, end, minutes, night = 0;
  if (scanf("%d %d %d %d", &h1, &m1, &h2, &m2) != 4) return 1;
  if (h1 < 0 || h1 > 23 || m1 < 0 || m1 > 59 || h2 < 0 || h2 > 23 || m2 < 0 || m2 > 59) return 1;
  begin = h1 * 60 + m1;
  end = h2 * 60 + m2;
  minutes = end - begin;
  if (end < begin) minutes = minutes + 1440;
  for (int t = begin; t < begin + minutes; t++) {
    int hour = t / 60 % 24;
    if (hour < 6 || hour >= 22) night = night + 1;
  }
  printf("%d minutes, %d at night\n", minutes, night);
  return 0;
}
