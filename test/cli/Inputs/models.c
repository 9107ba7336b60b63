// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of all shapes: `even` is an even byte, `wide` has a large range, text[i] is a string, and a condition has two variables.
#include <stdio.h>

static int weigh(int even, int wide) {
  if (even < wide) return even + 1;
  return wide;
}

int main(void) {
  char text[16] = {0};
  int c, i = 0, sum = 0;
  while (i < 15 && (c = getchar()) != EOF) text[i++] = (char)c;
  const int count = i;
  for (i = 0; i < count; i++) {
    if (text[i] == 'x') sum += 3;
    const int even = (unsigned char)text[i] / 8 * 2;
    const int wide = (unsigned char)text[i] * 7919 + i * 104729;
    sum += weigh(even, wide);
  }
  printf("sum %d of %d\n", sum, count);
  return 0;
}
