// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cppcheck's XML, as cppcheck writes it.
// REQUIRES: cppcheck
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cp %s %t.dir/p.c && %fathom-cc -g %t.dir/p.c -o %t.dir/p
// RUN: cd %t.dir && cppcheck --quiet --xml --enable=warning p.c 2> reports.xml
// RUN: %fathom confirm %t.dir/p --reports %t.dir/reports.xml --sarif %t.dir/out.sarif --no-cache | FileCheck %s
// CHECK-DAG: p.c:{{[0-9]+}}:{{[0-9]+}}: confirmed: nullPointer: Possible null pointer dereference: p
// CHECK-DAG: p.c:{{[0-9]+}}:{{[0-9]+}}: confirmed: ctunullpointer: Null pointer dereference: x
// CHECK: 3 reports: 3 confirmed, 0 refuted, 0 open
// RUN: python3 %S/../scan/Inputs/check-sarif.py %t.dir/out.sarif --verdicts | FileCheck %s --check-prefix=SARIF
// SARIF: 3 results, none 3; 3 confirmed
#include <stdlib.h>
int null(int c, char *q) {
  char *p = 0;
  if (c > 1) p = q;
  return *p;
}
void use(int *x) { *x = 1; }
int main(int argc, char **argv) {
  int *z = NULL;
  int out = null(argc, argv[0]);
  use(z);
  return out;
}
