// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=1,2,3,11,12,13
// Structures passed by value from a symbolic place, to a function with and without a prototype of its own.
#include <fathom.h>
#include <stdarg.h>

struct Big {
  long a[5];
};

static long variadic(int n, ...) {
  va_list list;
  va_start(list, n);
  struct Big b = va_arg(list, struct Big);
  va_end(list);
  return b.a[0];
}
static long plain(struct Big b) { return b.a[0]; }

int main(void) {
  struct Big all[3] = {{{1}}, {{2}}, {{3}}};
  long i = fathom_range(0, 2, "i");
  if (fathom_range(0, 1, "which")) return (int)variadic(1, all[i]);
  return 10 + (int)plain(all[i]);
}
