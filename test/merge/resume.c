// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A path's log names the loop that was merged: who follows it passes the concrete loop before plainly, although no call is between the two.
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom explore %t -o %t.out --force --merge pattern --merge-always --search bfs --max-instructions 70000 | FileCheck %s --check-prefix=CUT
// CUT: {{[1-9][0-9]+}} unfinished
// RUN: %fathom explore %t -o %t.out --resume --merge pattern --merge-always | FileCheck %s
// CHECK: 4096 completed, 0 ended by a bug or an assumption, 0 unfinished
// CHECK: all paths under these inputs
#include "Inputs/tell.h"

enum { kSize = 7 };

static int span(const char *text, int rounds) {
  int noise = 0, digits = 0;
  for (volatile int i = 0; i < rounds; i++) noise += i;
  while (digits < kSize && text[digits] == '1') digits++;
  return digits + (noise > 100);
}

int main(void) {
  char text[4][kSize];
  fathom_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 4; i++) tell(span(text[i], i + 1));
  return 0;
}
