// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=assertion:27,uninitialized-read:22,uninitialized-read:26 ledger=external-call -- --sym-stdin 3 --external concretize --external-functions triple
//
// Behind a result that is that of one value, what memory that was never written does is shown on the bug's own input: few
// values of those bytes show it, some together with others, and a bug can lie behind the branch that they decide.
#include <assert.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int triple(int x) { return 3 * x + 1; }

int main(void) {
  unsigned char in[3] = {0};
  read(0, in, 2);
  unsigned char never[2];
  unsigned number;
  int r = triple(in[0]);
  if (in[0] < 10)
    return 0;
  if (in[1] == 'n') {
    memcpy(in, never, 1);
    if (in[0] == 0x4d) // one value of 256
      return r > 5;
  }
  if (in[1] == 'm')
    if (number == 123456789u * in[0]) // one of 2^32
      assert(r < 0);
  return r > 5;
}
