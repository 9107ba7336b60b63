// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.seeds && mkdir %t.seeds
// RUN: %explore %s %t -- --only-new-coverage
// RUN: python3 %scripts/testfolders.py %t.out %t.tests
// RUN: sh -c 'cp -r $(dirname $(grep -l "\"status\": 7" %t.tests/*/exit.json)) %t.seeds'
// RUN: %explore %s %t.again statuses=7 paths_completed=1 ledger=bound-seeds -- --only-seeds --seeds %t.seeds
// RUN: %explore %s %t.other --cc=-DOTHER statuses=9 paths_completed=1 ledger=bound-seeds -- --only-seeds --seeds %t.seeds
//
// An object that the program calls x_1 itself does not get the bytes of x, nor x those of it.
#include <fathom.h>

static unsigned char symbolic(const char *name) {
  unsigned char c;
  fathom_symbolic(&c, 1, name);
  return c;
}

int main(void) {
#ifdef OTHER // in another order
  unsigned char x = symbolic("x"), own = symbolic("x_1");
  if (x == 't')
    if (own == 'o')
      return 9;
#else
  unsigned char own = symbolic("x_1"), x = symbolic("x");
  if (own == 'o')
    if (x == 't')
      return 7;
#endif
  return 1;
}
