// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// __builtin_unreachable that is reached.
#include <unistd.h>

static int days(int month) {
  switch (month) {
  case 4: case 6: case 9: case 11: return 30;
  case 2: return 28;
  case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
  }
#ifdef FIXED
  return 0;
#else
  __builtin_unreachable(); // BUG unreachable
#endif
}
int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  return days(in[0] % 13);
}
