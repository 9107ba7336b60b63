// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=9 tests=9 bugs= statuses=0,1,2,3,4,5,6,7,8
// fathom.h: every kind of value, ranges, choices, strings.
#include <fathom.h>
#include <string.h>

int main(void) {
  switch (fathom_choose(5, "which")) {
  case 0:
    if (fathom_bool("flag"))
      return 1;
    return 0;
  case 1: {
    long r = fathom_range(-5, 5, "r");
    fathom_assert(r >= -5 && r <= 5);
    if (r == 3)
      return 2;
    return 3;
  }
  case 2: {
    char s[3];
    fathom_string(s, sizeof s, "s");
    fathom_assert(s[2] == 0);
    fathom_assume(s[0] == 'a' && s[1] != 0);
    return 4;
  }
  case 3: {
    int64_t a = fathom_int64("a");
    uint64_t b = fathom_uint64("b");
    fathom_assume(a == -1 && b == (uint64_t)a);
    fathom_assert(b > 5 && a < 5);
    return fathom_is_symbolic((uint64_t)fathom_int("i")) ? 5 : 99;
  }
  default: {
    unsigned char bytes[4];
    fathom_bytes(bytes, 4, "bytes");
    if (bytes[0] == 1) {
      fathom_assume(bytes[1] > 10);
      if (bytes[1] > 20)
        return 6;
      return 7;
    }
    fathom_exit(8);
  }
  }
}
