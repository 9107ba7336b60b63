// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Debian's gcc 12 compiles with warnings: no types, no declarations, functions as in K&R's book, pointers of other types.
// RUN: %fathom-cc %s -o %t 2>&1 | FileCheck %s --check-prefix=WARNINGS
// WARNINGS-DAG: -Wimplicit-int
// WARNINGS-DAG: -Wimplicit-function-declaration
// WARNINGS-DAG: -Wint-conversion
// WARNINGS-DAG: -Wincompatible-function-pointer-types
// WARNINGS-DAG: -Wreturn-mismatch
// RUN: %t | FileCheck %s
// CHECK: 7 found
// RUN: %fathom explore %t -o %t.out --force --echo-output | FileCheck %s
// RUN: not %fathom-cc -Werror=implicit-int %s -o %t.strict 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: error: parameter 'a' was not declared
static twice(a, s) char *s; { return 2 * a + *s - *s; }
static int typed(int x) { return x; }
static nothing() { return; }

main() {
  char *address = 0x10;
  int (*f)(double) = typed;
  int known = (int)(long)address == 16;
  nothing();
  printf("%d found\n", twice(3, "x") + known);
  return 0;
}
