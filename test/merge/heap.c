// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word in memory is what the loop counts, through a pointer, and the buffer grows with it.
// RUN: %merges %s %t --patterns 1
#include "Inputs/tell.h"

struct Buffer {
  long length;
  char text[8];
};

static void take(struct Buffer *b, const char *from) {
  while (b->length < 6 && from[b->length] == 'x') {
    b->text[b->length] = 'y';
    b->length++;
  }
}

int main(void) {
  char text[6];
  struct Buffer b = {0, "......."};
  fathom_symbolic(text, sizeof text, "text");
  take(&b, text);
  tell(b.length);
  if (b.text[2] == 'y') puts("two");
  return 0;
}
