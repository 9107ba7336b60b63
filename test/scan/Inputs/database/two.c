// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another program, with another function helper.
#include "shared.h"
int helper(int x);
int main(int argc, char **argv) { return shared(FACTOR * helper(argc)); }
