// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=4 tests=4 statuses=1,2,3,4
// KLEE's intrinsics: assumptions, ranges, questions about values, preferences.
#include <klee/klee.h>

int main(void) {
  int a = klee_range(0, 10, "a");
  char b;
  klee_make_symbolic(&b, sizeof b, "b");
  if (a < 0 || a >= 10)
    return 99;
  klee_assume(a > 3);
  klee_assert(a >= 4);
  if (!klee_is_symbolic((uintptr_t)a) || klee_is_symbolic(5))
    return 98;
  klee_prefer_cex(&b, b == 'x');
  if (klee_get_obj_size(&b) != 1 || klee_is_replay())
    return 97;
  if (a == 7) {
    if (b == 0)
      return 1;
    return 2;
  }
  klee_assume(b > 'a');
  if (b == 'a')
    return 96;
  if (b > 'b')
    return 3;
  return 4;
}
