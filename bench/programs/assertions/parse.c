/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A parser of digits, with an error.
 */
#include "input.h"
static int position;
static const char *text;
static int digit(void) {
  char c = text[position];
  if (c < '0' || c > '9') return -1;
  position++;
  return c - '0';
}
static int number(int *out) {
  int n = 0, count = 0, d;
  while (count < 3 && (d = digit()) >= 0) {
    assert(d <= 9);
    n = 10 * n + d;
    count++;
  }
  assert(count <= 3);
  assert(n >= 0);
  if (count == 0) return -1;
  *out = n;
  return 0;
}
int main(void) {
  static const char *const lines[] = {"12", "7x", "x", "999", ""};
  int which = input(0, 4), value = -5;
  text = lines[which];
  int failed = number(&value);
  assert(failed == 0 || failed == -1);
  if (failed == 0) assert(value >= 0);
  if (failed == 0) assert(value <= 999);
  if (failed == 0) assert(value < 999);
  if (failed) assert(value == -5);
  assert(position >= 0);
  assert(position <= 3);
  return 0;
}
