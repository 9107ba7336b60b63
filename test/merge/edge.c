// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop of libc's strspn has two exits to one place, which takes a value from each. A state leaves it on the way there: what that way
// still has to copy is live, although no block begins with it.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom explore %t -o %t.cfg --force --merge cfg --merge-at strspn --explain-merges 2>&1 | FileCheck %s
// RUN: %fathom explore %t -o %t.pattern --force --merge pattern --merge-at strspn --explain-merges 2>&1 | FileCheck %s
// CHECK: paths become one
// CHECK: bugs          0
#include <fathom.h>
#include <string.h>
static int isBlank(char c) { return c == ' ' || c == '\t'; }
int main(void) {
  static char p[3];
  fathom_symbolic(p, 2, "text");
  size_t k = strspn(p, " \t");
  fathom_assert(k < 1 || isBlank(p[0]));
  fathom_assert(k < 2 || isBlank(p[1]));
  fathom_assert(k == 2 || !isBlank(p[k]));
  return 0;
}
