// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static int twice(int x) { return x * 2; }
int answer(void) { return twice(21); }
