// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=assertion:29,null-dereference:25 ledger=bug-unconfirmed,external-argument -- --sym-stdin 3 --external defer --external-functions strlen,strcmp
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: bugs{{ +}}2 of 2 reproduce
// RUN: FileCheck %s --check-prefix=LEDGER <%t.out/ledger.json
// LEDGER: "category": "bug-unconfirmed"
// LEDGER-NEXT: "location": "{{.*}}coverage-bugs.c:21 in main"
// LEDGER-NEXT: "detail": "abort: the program aborted: no input was found that takes such a path with the results that external functions give for it"
//
// In coverage mode a bug is one that an input shows: a path on which arguments went on without their results may have none.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char in[4] = {0};
  read(0, in, 3);
  if (strlen(in) == 3) {
    if (in[1] == 0) abort(); // of a string of three bytes none is the end
    return 1;
  }
  if (strcmp(in, "ab") > 0) {
    if (in[0] == 'a') *(volatile int *)0 = in[1]; // for another second byte than the witness has
    return 2;
  }
  if (in[0] == '!')
    assert(in[1]); // nothing that an argument's result could contradict
  return 0;
}
