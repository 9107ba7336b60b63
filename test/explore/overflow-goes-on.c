// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=signed-overflow:9 statuses=7,8
// After a signed overflow has been reported the sum wraps around and the program goes on, on symbolic values as on concrete ones.
#include <fathom.h>

int main(void) {
  int x = fathom_int("x"), y;
  //
  y = x + 1;
  return y < x ? 7 : 8;
}
