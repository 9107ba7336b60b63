// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int shared(int n, const char *text) {
  const char *p = n == 4 ? 0 : text;
  return *p; // REPORT
}
