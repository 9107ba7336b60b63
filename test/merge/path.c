// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file's name that begins where a merged loop ended: its last byte is the NUL behind the input only under the path's condition, and what lies behind that is none of the
// name's. (Before, the model read on, and reported a read outside of the text.)
// RUN: %fathom-cc -g %s -o %t.program
// RUN: %fathom explore %t.program -o %t --force --merge pattern | FileCheck %s
// CHECK: bugs          0
#include <fathom.h>
#include <fcntl.h>

int main(void) {
  char text[5];
  fathom_symbolic(text, sizeof text, "text");
  text[4] = 0;
  const char *name = text;
  while (*name == '-') name++;
  return open(name, O_RDONLY) < 0;
}
