// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Binary search for a symbolic key in a constant table, then in a symbolic one that is assumed to be in order.
enum { SIZE = 3, LIMIT = 20 };
#define BYTES_BELOW
#include "oracle.h"

static int search(const unsigned char *v, int n, unsigned char key) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) / 2;
    if (v[mid] == key)
      return mid;
    if (v[mid] < key)
      low = mid + 1;
    else
      high = mid;
  }
  return -1;
}
static int program(const unsigned char *in) {
  static const unsigned char table[] = {1, 4, 6, 7, 9, 12, 15};
  int a = search(table, 7, in[0]);
  if (in[1] > in[2])
    return 60;
  int b = search(in + 1, 2, 5);
  return (a + 1) * 4 + b + 1;
}
