// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A leak points at the return statement that leaves the function without the memory, also where the compiler makes one return of several.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds leak > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 4 reports: 4 leak
#include <stdlib.h>

int severalBad(int c) {
  char *p = malloc(8);
  if (!p) return 0;
  // CHECK: leak-places.c:[[#@LINE+1]]:{{[0-9]+}}: leak
  if (c > 3) return -2;
  free(p);
  return 1;
}

void nothingBad(int c) {
  char *p = malloc(8);
  if (!p) return;
  // CHECK: leak-places.c:[[#@LINE+1]]:{{[0-9]+}}: leak
  if (c > 3) return;
  free(p);
}

// Here it is the end.
void endBad(int c) {
  char *p = malloc(8);
  if (c > 3) free(p);
  // CHECK: leak-places.c:[[#@LINE+1]]:{{[0-9]+}}: leak
}

int oneBad(int c) {
  char *p = malloc(8);
  if (c > 3)
    free(p);
  else
    c++;
  // CHECK: leak-places.c:[[#@LINE+1]]:{{[0-9]+}}: leak
  return c;
}

int main(int argc, char **argv) {
  nothingBad(argc);
  endBad(argc);
  return severalBad(argc) + oneBad(argc);
}
