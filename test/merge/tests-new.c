// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --tests new all that was covered has a test, although no input of the merged path covers all of it. A first exploration of a loop covers nothing
// by itself.
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom explore %t -o %t.out --force --merge pattern --tests new --jobs 1 | FileCheck %s --check-prefix=ALL
// RUN: %fathom replay %t %t.out | FileCheck %s --check-prefix=ALL
// RUN: %fathom explore %t -o %t.out --force --merge cfg --tests new --jobs 1 | FileCheck %s --check-prefix=ALL
// RUN: %fathom replay %t %t.out | FileCheck %s --check-prefix=ALL
// ALL: branch sides  14 of 14
#include <fathom.h>

int main(void) {
  char text[2];
  int n = 0;
  fathom_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 2 && text[i]; i++) {
    if (text[i] == 'a')
      n++;
    else if (text[i] == 'b')
      n += 2;
    else if (text[i] == 'c')
      n += 3;
    else if (text[i] == 'd')
      n += 4;
    else if (text[i] == 'e')
      n += 5;
  }
  return n > 4;
}
