// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The input names a file of this machine: one of the names is taken, and the ledger says what is missed by that.
// RUN: rm -rf %t.host %t.dir && mkdir %t.host && touch %t.host/a %t.host/b
// RUN: %fathom-cc -g %s -o %t.program
// RUN: %fathom explore %t.program -o %t.dir -- %t.host --sym-arg 1 | FileCheck %s
// CHECK: concretized-value at {{.*}}host-name.c:15 in main: a file name that depends on the input: it takes one of the names on this machine, paths with others are missed
#include <fcntl.h>
#include <stdio.h>

int main(int argc, char **argv) {
  char path[300];
  if (argc != 3) return 2;
  // A folder of this machine, and a name in it.
  snprintf(path, sizeof path, "%s/%s", argv[1], argv[2]);
  return open(path, O_RDONLY) < 0;
}
