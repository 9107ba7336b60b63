// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A path that ends in a bug that has a report leaves its input as a test, which says where the report is. --all-bug-inputs: also where
// the path goes on, and there was no need to ask.
// RUN: %check-bugs %s %t
// RUN: %fathom-cc -g %s -o %t.bin
// RUN: rm -rf %t.one %t.all %t.covering && %fathom explore %t.bin -o %t.one --sym-stdin 4 | FileCheck %s
// CHECK: tests {{ *}}8, 3 of them end in a bug listed below
// CHECK: bugs          2
// RUN: python3 %scripts/testfolders.py %t.one %t.tests
// RUN: grep -l '"bug": "bugs/00000' %t.tests/*/exit.json | count 3
// RUN: grep -h '"end"' %t.tests/*/exit.json | grep -c '"bug"' | FileCheck %s --check-prefix=THREE
// THREE: 3
// RUN: %fathom explore %t.bin -o %t.all --sym-stdin 4 --all-bug-inputs --json > %t.json
// RUN: grep '"bug_tests": 6' %t.json
// Replay runs them as it runs what ends in a bug: up to there.
// RUN: %fathom replay %t.bin %t.one | FileCheck %s --check-prefix=REPLAY
// REPLAY-NOT: differ
// Those that cover nothing new are not kept where that is not wanted.
// RUN: %fathom explore %t.bin -o %t.covering --sym-stdin 4 --only-new-coverage
// RUN: not grep -l '"bug"' -r %t.covering/tests --include=exit.json
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char in[4] = {0};
  int value = 0;
  if (read(0, in, sizeof in) != 4 || in[0] > 3)
    return 1;
  switch (in[0]) { // four ways to each bug
  case 0: value = 1; break;
  case 1: value = 2; break;
  case 2: value = 3; break;
  default: value = 4;
  }
  if (in[1] == 7) {
#ifndef FIXED
    abort(); // BUG abort
#endif
    return 2;
  }
#ifdef FIXED
  if (in[2] == 200)
    return 3;
#endif
  return value * 10 / (in[2] - 200) > 100; // BUG division-by-zero
}
