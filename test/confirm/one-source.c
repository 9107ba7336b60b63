// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Confirmed reports of one kind that begin at one place: three are told with their paths, the others in one line. JSON has all.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference one.sarif ONE TWO THREE FOUR FIVE && sed 's/"startLine": [0-9]*}}}}, {"location"/"startLine": 14}}}}, {"location"/g' one.sarif > p.sarif
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 | FileCheck %s
// CHECK-COUNT-3: confirmed: null-dereference
// CHECK-NOT: p.c:{{.*}}: confirmed
// CHECK: 2 reports are confirmed as well, null-dereference from p.c:14: p.c:[[#]], p.c:[[#]]
// CHECK: 5 reports: 5 confirmed
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --json -q | FileCheck %s --check-prefix=JSON
// JSON: "confirmed":5
#include <stdlib.h>
int main(int argc, char **argv) {
  int *p = malloc(sizeof *p);
  switch (argc) {
  case 1:
    *p = 1; // ONE
    break;
  case 2:
    *p = 2; // TWO
    break;
  case 3:
    *p = 3; // THREE
    break;
  case 4:
    *p = 4; // FOUR
    break;
  default:
    *p = 5; // FIVE
    break;
  }
  free(p);
  return 0;
}
