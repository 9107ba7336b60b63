// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int helper(int x) { return x + 1; }
