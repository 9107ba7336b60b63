// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=2,3
// With an index of 64 bits the constant of tab[c - 32] folds into the address, which then seems to be computed from the object
// before it. All accesses are in bounds.
#include <fathom.h>

char prev[16] = "xxxxxxxxxxxxxxx";
char tab[16] = "abcdefghijklmno";

int main(void) {
  unsigned long c = fathom_uint64("c");
  fathom_assume(c >= 32 && c < 48);
  if (prev[c - 32] == 'z') return 1;
  if (tab[c - 32] == 'c') return 2;
  return 3;
}
