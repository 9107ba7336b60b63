/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program of [psp23] Fig. 1a, after one of SV-benchmarks: the assertion always holds, since off
 * is at most 6, and intervals cannot see it.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef long long l1;

int main(void) {
  int N, off;
  if (scanf("%d", &N) != 1) return 1;
  if (N <= 0 || N > 1000) return 1;
  l1 *a = malloc(sizeof(l1) * N);
  l1 *b = malloc(sizeof(l1) * N);
  for (int i = 0; i < N; i++) {
    if (scanf("%d", &off) != 1) return 1;
    if (off < 0 || off > 6) return 1;
    int p = i - 1;
    a[i] = (i == 0) ? 6 : a[p] + off;
    b[i] = (i == 0) ? 0 : b[p] + a[p];
    assert(b[i] <= 3 * i * i + 3 * i);
  }
  return 0;
}
