// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int main(int argc, char **argv) {
  int *none = 0;
  if (argc == 3) return *none; // REPORT
  return shared(argc + 2, argv[0]);
}
