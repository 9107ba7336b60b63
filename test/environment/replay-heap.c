// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=2 ledger=0 -- --sym-stdin 1 --max-heap 100000
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: exit status   all 2 agree
// CHECK: stdout        all 2 agree
// RUN: %fathom replay %t.program %t.out --test-memory 1M | FileCheck %s --check-prefix=LESS
// LESS: branch traces 1 of 2 differ
//
// On replay memory runs out where it does in the engine: blocks count as what was asked for, not as pages, those that were freed no more, and a block
// that grows is there twice for a moment.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char c = 0;
  read(0, &c, 1);
  static void *blocks[20000];
  int count = 0, size = 10;
  if (c == 'b')
    size = 10000;
  while ((blocks[count] = malloc(size)) != NULL) count++;
  printf("%d\n", count);
  free(blocks[0]);
  blocks[0] = malloc(size);
  printf("%d\n", blocks[0] != NULL);
  for (int i = 0; i < count; i += 2) free(blocks[i]), blocks[i] = NULL;
  void *half = calloc(30000, 1), *grown = realloc(half, 30000);
  printf("%d %d\n", half != NULL, grown != NULL);
  free(grown ? grown : half);
  for (int i = 0; i < count; i++) free(blocks[i]);
  return 0;
}
