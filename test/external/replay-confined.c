// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mounts, outside-tmp
// RUN: clang-19 -shared -fPIC -fno-builtin %S/Inputs/odd.c -o %t.so
// RUN: rm -f %t.left
// RUN: %fathom-cc -g -w '-DPATH="%t.left"' %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t statuses=1 ledger=external-call -- --load %t.so --external concretize
// RUN: rm %t.left
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// RUN: not ls %t.left
// CHECK: exit status{{ +}}1 of 1 differ
//
// A library's function may change on replay what the test may change: not this file.
int leave(const char *path);

int main(void) { return leave(PATH); }
