// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g %s -o %t
// RUN: rm -rf %t.out %t.fixed && %fathom explore %t --sym-arg 3 -o %t.fixed | FileCheck %s --check-prefix=FIXED
// RUN: %fathom explore %t --sym-arg 3 --memory symbolic-size=16 -o %t.out | FileCheck %s
// An argument of symbolic length is an object of that length: what reads behind its NUL is found, which it is not in a string that has room for
// LEN bytes in any case.
// FIXED: bugs          0
// CHECK: bugs          1
// CHECK: out-of-bounds-read in main at {{.*}}overread.c:[[@LINE+9]]
// CHECK: read of 1 byte at offset 2 of
// The input that shows it ends before.
// RUN: FileCheck %s --check-prefix=INPUT <%t.out/bugs/000001/args.json
// INPUT: "args": [
// INPUT-NEXT: "{{.*}}",
// INPUT-NEXT: "="
int main(int argc, char **argv) {
  if (argc != 2 || argv[1][0] != '=') return 1;
  return argv[1][2] == '=' ? 2 : 3;
}
