// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static int twice(int x) { return 2 * x; }
int main(int argc, char **argv) { return twice(argc); }
