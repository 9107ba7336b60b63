// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop within another one is merged where it is named by its line; by itself the outer one is.
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom explore %t -o %t.out --force --merge cfg --explain-merges --check-merges 2>&1 | FileCheck %s --check-prefix=OUTER
// OUTER-NOT: inner.c:[[#@LINE+16]]
// OUTER: inner.c:[[#@LINE+18]] in words: {{[0-9]+}} paths become one
// RUN: %fathom explore %t -o %t.out --force --merge cfg --merge-at words:%(line+13) --explain-merges --check-merges 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED-NOT: inner.c:[[#@LINE+16]]
// NAMED: inner.c:[[#@LINE+12]] in words: {{[0-9]+}} paths become one
// NAMED: no state left to explore
// RUN: grep '"wrong": 0' %t.out/stats.json
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom explore %t -o %t.out --force --merge cfg --merge-at words:1 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: fathom: --merge-at words:1: no loop begins there; the function has loops at lines [[#@LINE+6]], [[#@LINE+7]]
#include <fathom.h>
#include <stdio.h>

static int words(const char *text, int n) {
  int found = 0, at = 0;
  while (at < n) {
    while (at < n && text[at] == ' ') at++;
    found++;
    at += 4;
  }
  return found;
}

int main(void) {
  char text[12];
  fathom_symbolic(text, sizeof text, "text");
  puts(words(text, sizeof text) > 2 ? "many" : "few");
  return 0;
}
