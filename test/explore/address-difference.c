// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=1,2,3,4,5
// A pointer that is computed with the difference of two addresses, as offsets in shared memory and relative pointers are: it leads
// from one object to another one. All accesses are in bounds, with constant and with symbolic indices.
#include <fathom.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

char first[16] = "abcdefghijklmno";
char second[16] = "ABCDEFGHIJKLMNO";

int main(void) {
  unsigned char c = (unsigned char)fathom_uint("c");
  fathom_assume(c < 15);
  ptrdiff_t between = second - first;
  if ((first + between)[c] == 'C') return 1;
  if (first[between + c] == 'D') return 2;
  static char *heap;
  heap = calloc(1, 16);
  heap[5] = 'x';
  if (first[(heap - first) + c] == 'x') return 3;
  if (*(char *)((uintptr_t)second + (uintptr_t)(first - second) + c) == 'g') return 4;
  return 5;
}
