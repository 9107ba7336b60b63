// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts N symbolic bytes: N! paths, whose conditions are long and share most of their members.
#include <fathom.h>

#ifndef N
#define N 9
#endif

int main(void) {
  unsigned char a[N];
  fathom_bytes(a, sizeof a, "a");
  for (int i = 1; i < N; i++) {
    unsigned char x = a[i];
    int j = i;
    while (j > 0 && a[j - 1] > x) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = x;
  }
  return a[0] > a[N - 1];
}
