// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight places that leave one global array are one report; seven are seven.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// CHECK: fold-array.c:[[#FIRST:]]:{{[0-9]+}}: out-of-bounds-read
// CHECK: follows at {{.*}}fold-array.c
// CHECK: 8 reports: 8 out-of-bounds-read; with 7 further places that follow
#include <stdio.h>

static int board[10], other[10];
#define PLACE(NAME, ARRAY) \
  static int NAME(int at) { return at < 0 || at > 9 ? 0 : ARRAY[at + 1]; }
PLACE(north1, board)
PLACE(north2, board)
PLACE(north3, board)
PLACE(north4, board)
PLACE(north5, board)
PLACE(north6, board)
PLACE(north7, board)
PLACE(south, board)
PLACE(west1, other)
PLACE(west2, other)
PLACE(west3, other)
PLACE(west4, other)
PLACE(west5, other)
PLACE(west6, other)
PLACE(west7, other)

int main(int argc, char **argv) {
  int (*const all[])(int) = {north1, north2, north3, north4, north5, north6, north7, south, west1, west2, west3, west4, west5, west6, west7};
  board[argc & 7] = other[argc & 7] = argv[0][0];
  printf("%d\n", all[argc % 15](argv[0][1]));
  return 0;
}
