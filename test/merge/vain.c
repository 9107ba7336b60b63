// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program tells each number of blanks apart, so merging the paths of the loop is in vain: after some paths the loop is left. Where the number
// is not looked at, it is merged to the end.
// RUN: %fathom-cc -g -w %s -o %t
// In another order all paths may have come to the loop before one has ended.
// RUN: %fathom explore %t -o %t.out --force --merge pattern --explain-merges --search dfs 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: merge: {{.*}}vain.c:[[#]] in span: no longer merged: of what was merged, {{2[4-9]|3[0-9]}} ways were told apart again, and 0 paths stand for several
// RUN: %fathom explore %t -o %t.out --force --merge pattern --explain-merges --merge-always 2>&1 | FileCheck %s --check-prefix=ALWAYS
// ALWAYS: paths become one
// ALWAYS-NOT: no longer merged
// RUN: %fathom explore %t -o %t.out --force --merge pattern --explain-merges --merge-at span 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: %fathom-cc -g -w -DPAYS %s -o %t.pays
// RUN: %fathom explore %t.pays -o %t.out --force --merge pattern --explain-merges 2>&1 | FileCheck %s --check-prefix=PAYS
// PAYS-NOT: no longer merged
// PAYS: 729 completed
#include "Inputs/tell.h"

enum { kSize = 7 };

static int span(const char *text) {
  int n = 0;
  while (n < kSize && text[n] == ' ') n++;
  return n;
}

int main(void) {
  char text[6][kSize];
  fathom_symbolic(text, sizeof text, "text");
#ifdef PAYS
  for (int i = 0; i < 6; i++) puts(span(text[i]) > 3 ? "deep" : "shallow");
#else
  for (int i = 0; i < 2; i++) tell(span(text[i]));
#endif
  return 0;
}
