// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=null-dereference:14 ledger=external-call -- --fail-allocations --external concretize --external-functions toupper --sym-stdin 1
// A bug of a path on which an allocation failed, behind the result of an external function for one of its arguments: when the program
// is run on the input to confirm it, the same allocation fails.
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char in = 0;
  if (read(0, &in, 1) != 1) return 3;
  int upper = toupper(in);
  char *block = malloc(10);
  block[0] = (char)upper; // the bug
  free(block);
  return 0;
}
