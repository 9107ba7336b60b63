// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --only-seeds the ways beside a seed are left out, but not what goes wrong with other inputs on its own way: there the question waits, and is asked.
// RUN: rm -rf %t.seeds && mkdir %t.seeds
// RUN: python3 -c "open('%t.seeds/seed', 'wb').write(b'\x04\x03')"
// RUN: %explore %s %t paths_completed=1 seeds_followed=1 bugs=division-by-zero:18,out-of-bounds-read:17 ledger=bound-seeds -- --only-seeds --seeds %t.seeds --sym-stdin 2
// RUN: %explore %s %t.timed paths_completed=1 seeds_followed=1 bugs=division-by-zero:18,out-of-bounds-read:17 ledger=bound-seeds -- --only-seeds --seeds %t.seeds --sym-stdin 2 --max-instructions 10000000
#include <unistd.h>

static const int table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

int main(void) {
  unsigned char in[2];
  if (read(0, in, 2) != 2)
    return 2;
  int value = 0;
  if (in[0] > 3)
    value = table[in[0]];
  return value + 100 / (in[1] * in[1] - 49) > 1;
}
