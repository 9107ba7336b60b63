// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A path of which some inputs end by a bug and the others go on counts as two, wherever the bug is found: an index, a size, a divisor.
// And the same when others follow the path again.
// RUN: %explore %s %t paths_completed=12 paths_terminated_early=3 bugs=division-by-zero:24,out-of-bounds-read:19,out-of-bounds-write:21
// RUN: rm -rf %t.parts
// RUN: %fathom explore %t.program -o %t.parts -q --max-instructions 30000 --search bfs
// RUN: %fathom explore %t.program -o %t.parts --resume | FileCheck %s
// CHECK: paths 12 completed, 3 ended by a bug or an assumption, 0 unfinished
#include <fathom.h>
#include <string.h>

static int table[4] = {1, 1, 1, 1};
static char block[8];

int main(void) {
  unsigned index = fathom_int("index"), size = fathom_int("size");
  unsigned char in[3], sum = 0;
  fathom_bytes(in, sizeof in, "in");
  sum += table[index];
  fathom_assume(size >= 8);
  memset(block, 1, size);
  for (int i = 0; i < 3; i++)
    if (in[i] > 'm') sum++;
  sum += 10 / (in[0] - 'p');
  fathom_assume(in[1] != 'x' || in[0] < 200);
  return sum;
}
