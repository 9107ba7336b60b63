// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts N symbolic numbers: N! paths, and many comparisons that the path decides.
#include <fathom.h>

#ifndef N
#define N 8
#endif

int main(void) {
  int a[N];
  fathom_bytes(a, sizeof a, "a");
  for (int i = 0; i < N; i++)
    for (int j = 0; j + 1 < N - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  return a[0] > a[N - 1];
}
