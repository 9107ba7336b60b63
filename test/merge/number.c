// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A string of digits becomes a number: values that are sums of what the loop read have no pattern, and stay a choice.
// RUN: %merges %s %t
#include "Inputs/tell.h"

int main(void) {
  char text[4];
  fathom_string(text, sizeof text, "text");
  int value = 0, i = 0;
  while (text[i] >= '0' && text[i] <= '9') value = 10 * value + (text[i++] - '0');
  if (text[i]) {
    puts("rest");
    return 1;
  }
  if (value == 0) puts("zero");
  else if (value == 42) puts("the answer");
  else if (value > 500) puts("large");
  else puts("other");
  return 0;
}
