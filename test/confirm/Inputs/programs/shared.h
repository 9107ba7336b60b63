// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int shared(int n, const char *text);
