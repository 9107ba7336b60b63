// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: replay
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom explore %t -o %t-out --force -q --solver-timeout 200ms
// RUN: %fathom replay %t %t-out --json | FileCheck %s
// CHECK: "exit_status": {
// CHECK: "differ": 0
// CHECK: "diverged": 0,
// RUN: FileCheck %s --check-prefix=LEDGER <%t-out/ledger.json
// LEDGER: solver-timeout
// Where the solver has no answer the side that was taken is still part of the path: the tests are for inputs that take it.
#include <fathom.h>

#define PRODUCT 1000000016000000063UL

int main(void) {
  unsigned long a = fathom_uint64("a"), b = fathom_uint64("b");
  fathom_assume(a > 1 && b > 1 && a < 0x100000000ul && b < 0x100000000ul);
  if (fathom_range(0, 1, "which")) {
    int which = 0;
    switch (a * b) {
    case 0x3fffffff4000006fUL: which = 1; break;
    case PRODUCT: which = 2; break;
    default: break;
    }
    if (which == 0) return a == 1000000007ul && b == 1000000009ul ? 5 : 0;
    return which;
  }
  char x = 'x', y = 'y';
  char *choice[2] = {&x, &y};
  int r = *choice[a * b == PRODUCT] == 'y';
  return a == 1000000007ul && b == 1000000009ul ? 10 + r : r;
}
