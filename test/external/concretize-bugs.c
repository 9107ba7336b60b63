// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=assertion:26,null-dereference:22 ledger=bug-unconfirmed,external-call -- --sym-stdin 2 --external concretize --external-functions triple
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: bugs{{ +}}2 of 2 reproduce
// RUN: FileCheck %s --check-prefix=LEDGER <%t.out/ledger.json
// LEDGER: "category": "bug-unconfirmed"
// LEDGER-NEXT: "location": "{{.*}}concretize-bugs.c:24 in main"
//
// The path goes on with what a function gave for one argument, while the argument can still become another: a bug behind
// that is one that an input shows.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int triple(int x) { return 3 * x + 1; }

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  int r = triple(in[0]);
  if (in[1] == 'n' && in[0] > 100)
    *(volatile int *)0 = 1; // whatever the result is
  if (in[0] > 100 && r < 50)
    abort(); // no input does
  if (in[0] < 10)
    assert(in[1] != 'a' || r >= 50);
  return 0;
}
