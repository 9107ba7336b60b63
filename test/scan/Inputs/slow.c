// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Octagons of two dozen variables in nested loops take minutes.
#include <assert.h>
#define STEP(a, b, c) \
  while (a < b) { \
    a += c & 3; \
    if (b > c) b--; \
    else c++; \
    if (a + b < 100) c = a; \
  }
#define STEPS(a, b, c, d, e, f) STEP(a, b, c) STEP(b, c, d) STEP(c, d, e) STEP(d, e, f) STEP(e, f, a) STEP(f, a, b)
int main(int argc, char **argv) {
  int v0 = argc + 0, v1 = argc + 1, v2 = argc + 2, v3 = argc + 3, v4 = argc + 4, v5 = argc + 5;
  int v6 = argc + 6, v7 = argc + 7, v8 = argc + 8, v9 = argc + 9, v10 = argc + 10, v11 = argc + 11;
  int v12 = argc + 12, v13 = argc + 13, v14 = argc + 14, v15 = argc + 15, v16 = argc + 16, v17 = argc + 17;
  int v18 = argc + 18, v19 = argc + 19, v20 = argc + 20, v21 = argc + 21, v22 = argc + 22, v23 = argc + 23;
  while (v0 + v1 < v23) {
    STEPS(v0, v3, v6, v9, v12, v15)
    STEPS(v5, v8, v11, v14, v17, v20)
    STEPS(v10, v13, v16, v19, v22, v1)
    STEPS(v15, v18, v21, v0, v3, v6)
    STEPS(v20, v23, v2, v5, v8, v11)
    STEPS(v1, v4, v7, v10, v13, v16)
    STEPS(v6, v9, v12, v15, v18, v21)
    STEPS(v11, v14, v17, v20, v23, v2)
  }
  assert(v0 + v1 >= v23);
  return v5 & 1;
}
