// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type, length, value: the length that was read decides how far the next element is, and may lead out of the buffer.
// RUN: %merges %s %t
#include "Inputs/tell.h"

int main(void) {
  unsigned char data[6];
  fathom_symbolic(data, sizeof data, "data");
  unsigned at = 0, elements = 0;
  while (at + 2 <= sizeof data) {
    if (data[at] == 0) break;
    at += 2 + (data[at + 1] & 3);
    elements++;
  }
  tell(elements);
  tell(at);
  return at > sizeof data;
}
