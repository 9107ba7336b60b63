// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int neverCalled(int x) { return x + 1; }
static int keptOnly(int x) __attribute__((used));
static int keptOnly(int x) { return x - 1; }
__attribute__((weak)) int weakOne(void) { return 1; }
static inline int twice(int x) { return x << 1; }
int (*pointer)(int) = twice;
