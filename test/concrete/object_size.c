// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// The size of a variable is known where a compiler's code generator knows it.
#include <stddef.h>
#include <string.h>

struct record { char name[24]; int id; };
static char text[10];

/* The size of an array of variable length is computed, whole and from an element on. */
static int variable(int n) {
  char a[n + 3];
  int b[n][4];
  a[0] = b[0][0] = (char)n;
  if (__builtin_dynamic_object_size(a, 0) != (size_t)n + 3 || __builtin_object_size(a, 0) != (size_t)-1) return 1;
  if (__builtin_dynamic_object_size(a + n, 0) != 3 || __builtin_dynamic_object_size(b, 2) != (size_t)n * 16) return 1;
  return a[0] != n;
}

int main(int argc, char **argv) {
  struct record r;
  int array[5];
  memset(&r, 0, sizeof r);
  if (__builtin_object_size(&r, 0) != sizeof r || __builtin_dynamic_object_size(array, 0) != sizeof array) return 1;
  if (__builtin_object_size(text + 4, 0) != 6 || __builtin_object_size(&array[2], 2) != 12) return 2;
  if (variable(argc) || variable(argc + 7)) return 3;
  const char *volatile unknown = text;
  return __builtin_object_size(unknown, 0) != (size_t)-1;
}
