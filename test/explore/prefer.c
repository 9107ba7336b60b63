// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preferred values are in the tests where the path allows them, and close no path. The exit status is that of the preferred input.
// RUN: %fathom-cc -g %s -o %t.prog
// RUN: %fathom explore %t.prog --sym-arg 2 --readable-inputs -q --force -o %t.out
// RUN: python3 %scripts/testfolders.py %t.out %t.tests
// RUN: cat %t.tests/*/stdout | sort | FileCheck %s
#include <fathom.h>
#include <stdio.h>

int main(int argc, char **argv) {
  unsigned char c, d;
  fathom_bytes(&c, 1, "c");
  fathom_bytes(&d, 1, "d");
  fathom_prefer(c == 'x');
  fathom_prefer(c == 'y'); // does not go together with the first
  fathom_prefer(d > c);
  const char *how = c > 'x' ? "above" : "up to";
  int printable = (argv[1][0] >= ' ') & (argv[1][0] <= '~') & (argv[1][1] >= ' ');
  printf("%s %c %c %c\n", how, c, '0' + (d > c),
         '0' + printable); // forks only on the end of the line
  return c;
}
// CHECK: above y 1 1
// CHECK: up to x 1 1
// RUN: %fathom replay %t.prog %t.out --json | FileCheck %s --check-prefix=REPLAY
// REPLAY: "exit_status": {
// REPLAY-NEXT: "compared": 3
// REPLAY-NEXT: "differ": 0
