// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC %S/Inputs/library.c -o %t.so
// RUN: %fathom-cc -g -w %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t bugs=external-crash,external-crash,external-crash ledger=external-call,external-fault statuses=0,1,2 -- --load %t.so
// RUN: grep -q "moody crashed with signal 11 on (7, " %t.out/ledger.json
// RUN: grep -q "moody did n.t return in time on (8, " %t.out/ledger.json
// RUN: grep -q "moody ended the process with status 3 on (9, " %t.out/ledger.json
// RUN: grep -Eq "moody crashed with signal 11 on .10, " %t.out/ledger.json
// RUN: grep -q "moody wrote beside the memory that it was given on (11, " %t.out/ledger.json
// RUN: %fathom replay %t.program %t.out --test-time 2s | FileCheck %s
//
// On replay the program ends as the function does: by the signal, with the status, or not at all. What lies in the pages of its arguments
// is the program's own memory there, and who writes it is not noticed; the program itself crashes of it.
// CHECK: branch traces{{ +}}all 5 agree
// CHECK: exit status{{ +}}all 3 agree
// CHECK: timed out{{ +}}1
// CHECK: 3 of 3 reproduce
// CHECK-DAG: external-crash: reproduces, signal SIGSEGV of the program itself, whose memory is laid out differently
// CHECK-DAG: external-crash: reproduces, signal SIGSEGV
// CHECK-DAG: external-crash: reproduces, signal SIGSEGV
//
// External functions that crash, hang, exit, allocate without end or write out of their arguments: the run survives each, it is in
// the ledger with the arguments, and other paths go on.
#include <fathom.h>

int moody(int mood, char *where);

int main(void) {
  char where[4] = {0};
  // One path, and one call with concrete arguments, for each.
  switch (fathom_range(0, 7, "which")) {
  case 0: return moody(7, where);
  case 1: return moody(8, where);
  case 2: return moody(9, where);
  case 3: return moody(10, where);
  case 4: return moody(11, where);
  case 5: return moody(1, where) == 2 && where[0] == 1 ? 1 : 9;
  case 6: return moody(30, where) == 31 && where[0] == 30 ? 2 : 9;
  default: return 0;
  }
}
