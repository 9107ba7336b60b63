// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that ran hundreds of times over known bytes, with one state at its header at a time, still joins rounds when unknown bytes come.
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom explore %t -o %t.out --force --merge pattern --merge-at blanks --explain-merges 2>&1 | FileCheck %s
// CHECK: merge: {{.*}}late.c:[[#]] in blanks: 9 paths become one, of 0 to 8 rounds
#include "Inputs/tell.h"

static int blanks(const char *text, int n) {
  int i = 0;
  while (i < n && (text[i] == ' ' || text[i] == '\t')) i++;
  return i;
}

int main(void) {
  static const char known[] = " \t  \t\t   \t";
  int sum = 0;
  for (int i = 0; i < 300; i++) sum += blanks(known, i % 10);
  char text[8];
  fathom_symbolic(text, sizeof text, "text");
  int n;
  fathom_symbolic(&n, sizeof n, "n");
  fathom_assume(n >= 0 && n <= 8);
  puts(blanks(text, n) > 3 && sum ? "deep" : "shallow");
  return 0;
}
