// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop with a flag goes over blanks and then over digits. Its paths have two repeated words: (blank)^k (digit)^l. A pattern has one, so there is
// a group of paths for each number of blanks.
// RUN: %merges %s %t.flag --patterns 3 --cc=-DFLAG
// RUN: %merges %s %t.counts --patterns 10
// Where these are too many groups, paths are merged along the tree, and stay apart where that is not wanted.
// RUN: %fathom-cc -g -DMOST=10 -DFLAG %s -o %t.flag
// RUN: %fathom explore %t.flag -o %t.out --force --jobs 1 --merge pattern --merge-always --explain-merges --check-merges 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: grep '"wrong": 0' %t.out/stats.json
// RUN: %fathom-cc -g -DMOST=10 %s -o %t.counts
// RUN: %fathom explore %t.counts -o %t.out --force --jobs 1 --merge pattern --merge-always --explain-merges --check-merges 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: grep '"wrong": 0' %t.out/stats.json
// TREE-COUNT-2: {{[0-9]+}} paths become one{{$}}
// TREE-NOT: become one
// TREE: no state left to explore
// RUN: %fathom explore %t.counts -o %t.out --force --jobs 1 --merge pattern --merge-fallback none --explain-merges 2>&1 | FileCheck %s --check-prefix=APART
// APART-NOT: become one
// APART: no state left to explore
// APART: 176 completed
#include "Inputs/tell.h"
#include <stddef.h>

#ifndef MOST
#define MOST 5
#endif
static char s[MOST];

#ifdef FLAG
/// Only where the loop ended is known behind it.
static void blanksThenDigits(size_t n) {
  int isNumber = 0;
  size_t i = 0;
  for (; i < n; i++) {
    if (!isNumber && s[i] == ' ') continue;
    if (s[i] < '0' || s[i] > '9') break;
    isNumber = 1;
  }
  tell((long)i);
}
#else
/// Each byte's place is a sum of both counts.
static void blanksThenDigits(size_t n) {
  int isNumber = 0;
  size_t blanks = 0, digits = 0;
  while (blanks + digits < n) {
    char c = s[blanks + digits];
    if (!isNumber && c == ' ') {
      blanks++;
    } else if (c >= '0' && c <= '9') {
      isNumber = 1;
      digits++;
    } else {
      break;
    }
  }
  tell((long)blanks);
  tell((long)digits);
}
#endif

int main(void) {
  size_t n;
  fathom_symbolic(s, sizeof s, "s");
  fathom_symbolic(&n, sizeof n, "n");
  fathom_assume(n <= MOST);
  blanksThenDigits(n);
  return 0;
}
