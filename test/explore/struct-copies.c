// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=out-of-bounds-read:17 statuses=0
// A pointer that comes out of a copied structure: it goes wrong for one entry of the table, the other one is explored.
#include <fathom.h>

struct Entry {
  char *text;
  int length;
};
char shortText[8] = "short", longText[64] = "a somewhat longer text .......";
struct Entry table[2] = {{shortText, 8}, {longText, 64}};

int main(void) {
  unsigned k = fathom_uint("k");
  fathom_assume(k < 2);
  struct Entry e = table[k];
  if (e.text[20] == '.') return 1;
  return 0;
}
