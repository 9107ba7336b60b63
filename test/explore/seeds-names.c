// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.seeds && mkdir %t.seeds
// RUN: %explore %s %t -- --only-new-coverage
// RUN: sh -c 'cp -r $(dirname $(grep -l "\"status\": 7" %t.out/tests/*/exit.json)) %t.seeds'
// RUN: %explore %s %t.again statuses=7 paths_completed=1 -- --only-seeds --seeds %t.seeds
// RUN: %explore %s %t.other --cc=-DOTHER statuses=9 paths_completed=1 -- --only-seeds --seeds %t.seeds
//
// An object that the program calls x_1 itself does not get the bytes of x, nor x those of it.
#include <fathom.h>

static unsigned char symbolic(const char *name) {
  unsigned char c;
  fathom_symbolic(&c, 1, name);
  return c;
}

int main(void) {
#ifdef OTHER // no seed says anything of x_1_1's namesake
  unsigned char x = symbolic("y"), own = symbolic("x_1"), twin = symbolic("x");
  return x == 0 && own == 'o' && twin == 't' ? 9 : 1;
#else
  unsigned char own = symbolic("x_1"), x = symbolic("x");
  return own == 'o' && x == 't' ? 7 : 1;
#endif
}
