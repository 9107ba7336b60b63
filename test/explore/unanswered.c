// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solver has no answer to whether a divisor can be 0: no path is dropped for that, and the ledger does not say so.
// RUN: %explore %s %t paths_completed=1 ledger=solver-timeout -- --solver-timeout 200ms
// RUN: FileCheck %s < %t.out/ledger.json
// CHECK-NOT: was dropped
// CHECK: timeout: a bug on inputs for which the condition holds may be missed
// CHECK-NOT: was dropped
#include <fathom.h>

int main(void) {
  unsigned long a = fathom_uint64("a"), b = fathom_uint64("b");
  fathom_assume(a > 1 && b > 1 && a < 0x100000000ul && b < 0x100000000ul);
  return (int)(10 / (a * b - 1000000016000000063ul)); // 1000000007 * 1000000009
}
