/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A grade by four thresholds, and what is missing for the next.
 */
#include <stdio.h>

int main(void) {
  int a, b, c, d, score, grade, missing = 0;
  if (scanf("%d %d %d %d %d", &a, &b, &c, &d, &score) != 5) return 1;
  if (a > 100 || a <= b || b <= c || c <= d || d < 0 || score < 0 || score > 100) return 1;
  grade = 5;
  if (score >= d) grade = 4;
  if (score >= c) grade = 3;
  if (score >= b) grade = 2;
  if (score >= a) grade = 1;
  if (grade == 2) missing = a - score;
  if (grade == 3) missing = b - score;
  if (grade == 4) missing = c - score;
  if (grade == 5) missing = d - score;
  printf("grade %d, %d missing\n", grade, missing);
  return 0;
}
