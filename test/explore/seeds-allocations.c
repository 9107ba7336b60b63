// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.one %t.raw && mkdir %t.one %t.raw
// RUN: %explore %s %t paths_completed=4 statuses=0,1,2 -- --fail-allocations
// RUN: %fathom replay %t.program %t.out --fail-on-divergence
// RUN: python3 %scripts/testfolders.py %t.out %t.tests
// RUN: sh -c 'for test in %t.tests/*; do grep -q failed_allocations $test/args.json || cp $test/test.ktest %t.raw; done'
// RUN: %explore %s %t.again paths_completed=4 statuses=0,1,2 seeds_followed=4 ledger=0 -- --fail-allocations --only-seeds --seeds %t.out/tests
// RUN: sh -c 'cp -r $(dirname $(grep -l "\"status\": 2" %t.tests/*/exit.json | head -1)) %t.one'
// RUN: %explore %s %t.failing paths_completed=1 statuses=2 seeds_followed=1 ledger=bound-seeds -- --fail-allocations --only-seeds --seeds %t.one
// RUN: %explore %s %t.going paths_completed=1 statuses=0 seeds_followed=1 ledger=bound-seeds -- --fail-allocations --only-seeds --seeds %t.raw
//
// A seed takes one side where an allocation may fail: the one that its test has taken, or, of an input that says nothing of it, the one where the block
// is there.
#include <fathom.h>
#include <stdlib.h>

int main(void) {
  char c;
  fathom_symbolic(&c, 1, "c");
  char *first = malloc(10);
  if (!first)
    return 1;
  char *second = c == 'x' ? malloc(20) : first;
  if (!second) {
    free(first);
    return 2;
  }
  if (second != first)
    free(second);
  free(first);
  return 0;
}
