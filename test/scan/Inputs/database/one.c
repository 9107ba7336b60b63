// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that needs shared.c, and the helper of its own target.
#include "shared.h"
int helper(int x);
int main(int argc, char **argv) { return shared(helper(argc)); }
