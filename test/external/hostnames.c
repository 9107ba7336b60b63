// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.host && mkdir -p %t.host/d9 && touch %t.host/a1 %t.host/c4 %t.host/b2 %t.host/b3
// RUN: chmod 0644 %t.host/a1 %t.host/c4 && chmod 0755 %t.host/b2 %t.host/b3 && chmod 0700 %t.host/d9
// RUN: %fathom-cc -g -w %s -o %t.program
// RUN: %explore %t.program %t statuses=0,1,2,3,4,5 ledger=0 -- --external defer-strict -- %t.host --sym-arg 2
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// RUN: %explore %t.program %t.c ledger=concretized-value "paths_completed<9" -- --external concretize -- %t.host --sym-arg 2
//
// A symbolic name of a real file: with the defer modes it has no value until something needs more than the file's kind. So each
// answer of access is explored, and all names that give it.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char path[4096];
  const char *name = argv[2];
  if (!name[0] || name[0] == '/' || name[0] == '.' || name[1] == '/') return 0;
  strcpy(path, argv[1]);
  strcat(path, "/");
  strcat(path, name);
  if (access(path, F_OK)) return 0;
  if (access(path, X_OK)) {
    if (name[1] == '4') return 1;
    return 2;
  }
  if (name[0] == 'd') return 3;
  if (name[1] == '3') return 4;
  return 5;
}
