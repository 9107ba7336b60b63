/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Characters and strings.
 */
#include "input.h"
#include <string.h>
static int isDigit(char c) { return c >= '0' && c <= '9'; }
int main(void) {
  char word[16];
  int n = input(1, 10), i, digits = 0, value = 0;
  for (i = 0; i < n; i++) word[i] = (char)('0' + i);
  word[n] = 0;
  assert(word[n] == 0);
  assert(word[0] == '0');
  for (i = 0; word[i] && i < 15; i++) {
    if (isDigit(word[i])) digits++;
    if (word[i] >= '0' && word[i] <= '9') {
      int digit = word[i] - '0';
      assert(digit >= 0 && digit <= 9);
      value = digit;
    }
  }
  assert(i <= 15);
  assert(value >= 0);
  assert(value <= 9);
  assert(value < 9);
  assert(digits <= 15);
  assert(digits == n);
  memset(word, 'x', sizeof word);
  assert(word[5] == 'x');
  assert(word[n] == 'x');
  const char *name = "fathom";
  assert(name[0] == 'f');
  assert(name[6] == 0);
  assert(strlen(name) == 6);
  assert(name[n % 6] >= 'a');
  assert(name[n % 6] != 't');
  return 0;
}
