// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t ledger=concretized-value statuses=0,3,4 -- --sym-stdin 80
// RUN: FileCheck %s <%t.out/ledger.json
// A length that the input gives, of which a block gets its size. Small ones are explored one after the other, and of the others one: the ledger says
// which, and how to keep them all.
// CHECK: size of malloc: beyond 64 bytes one was explored on each path, here {{[0-9]+}}, the others are lost; --memory symbolic-size=256 keeps them
// RUN: %explore %s %t.kept statuses=0,1,2,3,4,5 -- --sym-stdin 80 --memory symbolic-size=256
// RUN: %explore %s %t.jobs ledger=concretized-value statuses=0,3,4 -- --sym-stdin 80 --jobs 2
// RUN: %fathom replay %t.program %t.out | FileCheck %s --check-prefix=REPLAY
// REPLAY: branch traces all {{[0-9]+}} agree
//
// The same for what is copied: there is room for all of it.
// RUN: %explore %s %t.copy --cc=-DCOPY ledger=concretized-value -- --sym-stdin 2
// RUN: FileCheck %s --check-prefix=COPY <%t.copy.out/ledger.json
// COPY: size of a MemCpy: beyond 64 bytes one was explored on each path, here {{[0-9]+}}, the others are lost; --memory symbolic-size=255 keeps them
// And for what has room nowhere: then the allocation fails, whatever the size is.
// RUN: %explore %s %t.huge --cc=-DHUGE paths_completed=67 ledger=concretized-value statuses=0,1
// RUN: FileCheck %s --check-prefix=HUGE <%t.huge.out/ledger.json
// HUGE: one was explored on each path, here {{[0-9]?[0-9]?[0-9]?[0-9]}}, the others are lost; --memory symbolic-size=4096 keeps those of up to 4096
// Elements that are larger than a small block: none, one, and one larger number of them.
// RUN: %explore %s %t.wide --cc=-DWIDE ledger=concretized-value statuses=6,7,8 -- --sym-stdin 1
// RUN: FileCheck %s --check-prefix=WIDE <%t.wide.out/ledger.json
// WIDE: size of calloc: beyond 100 bytes one was explored on each path, here {{[0-9]+}}00, the others
#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HUGE
int main(void) {
  char *s = malloc(fathom_size("size"));
  if (!s) return 1;
  free(s);
  return 0;
}
#else
int main(void) {
  int length = getchar();
  if (length < 0) return 1;
#ifdef WIDE
  free(calloc((size_t)length, 100));
  return length == 0 ? 6 : length == 1 ? 7 : 8;
#endif
#ifdef COPY
  static char from[300], to[300];
  memset(from, getchar(), sizeof from);
  memcpy(to, from, (size_t)length);
  return to[3] == 'x';
#endif
  char *s = malloc((size_t)length + 1);
  if (fread(s, 1, (size_t)length, stdin) != (size_t)length) {
    free(s);
    return 2;
  }
  s[length] = 0;
  int result = 0;
  if (length == 3 && s[2] == 'x') result = 3;
  if (length > 5 && s[5] == 'y') result = 4;
  if (length == 70 && s[69] == 'z') result = 5;
  free(s);
  return result;
}
#endif
