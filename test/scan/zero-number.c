// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that is 0 is no null pointer, as an integer and as a floating point number, also where it lies in a union with one.
// RUN: %fathom scan --all %s --kinds null-dereference | FileCheck %s
// CHECK-NOT: null-dereference
// CHECK: zero-number.c:32:16: {{.*}} a pointer may be null; it is null since {{.*}}zero-number.c:29
// CHECK: 1 report: 1 null-dereference
#include <stddef.h>
union value {
  double number;
  long whole;
  char *text;
};

static void clear(union value *to) {
  to->number = 0.0;
}
static void clearWhole(union value *to) {
  to->whole = 0;
}

int main(int argc, char **argv) {
  union value first, second, third;
  clear(&first);
  clearWhole(&second);
  if (argc > 1) first.text = argv[0];
  if (argc > 2) second.text = argv[0];
  int sum = argc > 2 ? first.text[0] + second.text[0] : 0;
  // A null pointer is one.
  third.text = NULL;
  if (argc > 3)
    third.text = argv[1];
  return sum + third.text[0];
}
