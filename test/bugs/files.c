// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize address -- --sym-files 1 6
// A symbolic file: a length field in it is believed.
#include <stdio.h>
#include <stdlib.h>

static int load(FILE *f) {
  int length = getc(f);
  char *data = malloc(4);
  int sum = 0;
#ifdef FIXED
  length = length > 4 ? 4 : length;
#else
  length = length > 5 ? 5 : length;
#endif
  for (int i = 0; i < length; i++)
    data[i] = (char)getc(f); // BUG out-of-bounds-write
  for (int i = 0; i < length && i < 4; i++)
    sum += data[i];
  free(data);
  return sum;
}
int main(void) {
  FILE *f = fopen("A", "r");
  if (!f)
    return 1;
  int r = load(f) == 7;
  fclose(f);
  return r;
}
