// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --fathom-as-built keeps the level of the build; what only the bitcode still calls is linked in all the same.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fathom-cc --fathom-as-built -O2 %s -o program && ./program | FileCheck %s --check-prefix=OUTPUT
// RUN: llvm-dis program.bc -o - | FileCheck %s
// RUN: llvm-nm --undefined-only program.bc | not grep -E ' U (puts|printf|strlen|memcpy)'
#include <stdio.h>
static int square(int x) { return x * x; }
// CHECK-LABEL: define dso_local{{.*}} i32 @main
// CHECK-NOT: alloca
// CHECK-NOT: call {{.*}}@square
// CHECK: ret i32
int main(int argc, char **argv) {
  printf("%d\n", square(argc + 6));
  return 0;
}
// OUTPUT: 49
