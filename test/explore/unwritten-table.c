// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=2 statuses=0,1 bugs=uninitialized-read:16
// RUN: %explore %s %t paths_completed=1 statuses=0 -- --check-uninit=0
// A read at a symbolic index finds bytes that were never written also in a large object.
#include <fathom.h>
#include <stdlib.h>

int main(void) {
  enum { Size = 1000, Written = 100 };
  unsigned char *b = malloc(Size);
  for (int i = 0; i < Written; i++) b[i] = 7;
  long written = fathom_range(0, Written - 1, "written");
  if (b[written] != 7) return 2;
  long any = fathom_range(0, Size - 1, "any");
  int r = 0;
  if (b[any] == 9) r = 1;
  free(b);
  return r;
}
