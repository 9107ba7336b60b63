// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=assertion:33 ledger=external-call bug_tests=5 -- --sym-stdin 2 --external concretize --external-functions triple
// RUN: %explore %s %t.all bugs=assertion:33 ledger=external-call bug_tests=19 -- --sym-stdin 2 --external concretize --external-functions triple --all-bug-inputs
// RUN: %explore %s %t.one --cc=-DONE bugs=assertion:25 ledger=external-call -- --sym-stdin 2 --external concretize --external-functions triple
// RUN: FileCheck %s <%t.one.out/ledger.json
// CHECK: "category": "external-call"
// CHECK: "detail": "triple was run natively"
//
// A bug that has a report is not tried anew on each of the paths behind the result of one value. Where the path leaves the
// argument but one value, nothing is guessed.
#include <assert.h>
#include <unistd.h>

__attribute__((noinline)) static int triple(int x) { return 3 * x + 1; }

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
#ifdef ONE
  if ((in[0] & 0xf0) == 0x40 && (in[0] & 0x0f) == 2) {
    int r = triple(in[0]);
    if (in[1] == 'n')
      r = 0;
    if (r == 0)
      assert(in[0] < 'A');
  }
  return 0;
#else
  int r = triple(in[0]), places = 0;
  for (int i = 0; i < 20; i++)
    if (in[1] == i) // a path of its own
      places += i;
  assert(in[1] >= 20 || r > 1000);
  return places;
#endif
}
