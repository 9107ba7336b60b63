// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int main(int argc, char **argv) {
  int set = argc > 1;
  int *p = set ? &argc : 0;
  if (argc > 1) return *p; // REPORT
  return shared(argc + 3, argv[0]);
}
