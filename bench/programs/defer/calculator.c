/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: strtod
 * input: --sym-stdin 7
 * A calculator for "number operator number". */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char in[8] = {0};
  read(0, in, 7);
  char *end, *rest;
  double a = strtod(in, &end);
  if (end == in) return 1;
  char operation = *end;
  if (!operation) return a == 0 ? 2 : 3;
  double b = strtod(end + 1, &rest);
  if (rest == end + 1) return 4;
  double result;
  switch (operation) {
  case '+': result = a + b; break;
  case '-': result = a - b; break;
  case '*': result = a * b; break;
  case '/':
    if (b == 0) return 5;
    result = a / b;
    break;
  default: return 6;
  }
  if (*rest) return 7;
  if (result == 42) return 8;
  if (result < 0) return 9;
  if (result > 1000) return 10;
  return 11;
}
