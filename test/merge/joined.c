// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States that join between the rounds of a loop are counted, and --explain-merges tells them.
// RUN: %fathom-cc -g -I %S %s -o %t && rm -rf %t.dir
// RUN: %fathom explore %t --merge pattern --merge-always --explain-merges --jobs 1 -o %t.dir -q 2>&1 | FileCheck %s
// CHECK: merge: {{.*}}joined.c:[[#LOOP:]] in main: between rounds, [[#]] states of [[#]] became part of another
// RUN: grep -A6 '"merges"' %t.dir/stats.json | FileCheck %s --check-prefix=STATS
// STATS: "joined": {{[1-9]}}
#include <fathom.h>
#include <stdio.h>
int main(void) {
  char text[4];
  int as = 0;
  fathom_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 4; i++)
    if (text[i] == 'a') as++;
  switch (as) {
  case 0: puts("0"); break;
  case 1: puts("1"); break;
  case 2: puts("2"); break;
  case 3: puts("3"); break;
  default: puts("4");
  }
  return 0;
}
