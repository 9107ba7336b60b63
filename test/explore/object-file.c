// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -c %s -o %t.o
// RUN: not %fathom explore %t.o -o %t.out 2>&1 | FileCheck %s
// An object file is no program: one line says what is expected instead.
// CHECK: {{.*}}.o' is an object file or library, expected a program
int main(void) { return 0; }
