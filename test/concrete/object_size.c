// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// The size of a variable is known where a compiler's code generator knows it.
#include <stddef.h>
#include <string.h>

struct record { char name[24]; int id; };
static char text[10];

int main(void) {
  struct record r;
  int array[5];
  memset(&r, 0, sizeof r);
  if (__builtin_object_size(&r, 0) != sizeof r || __builtin_dynamic_object_size(array, 0) != sizeof array) return 1;
  if (__builtin_object_size(text + 4, 0) != 6 || __builtin_object_size(&array[2], 2) != 12) return 2;
  const char *volatile unknown = text;
  return __builtin_object_size(unknown, 0) != (size_t)-1;
}
