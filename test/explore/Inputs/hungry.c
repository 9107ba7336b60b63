// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 2048 paths, each with SIZE bytes of memory of its own: 200 KB, unless told otherwise.
#include <fathom.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 200000
#endif

int main(void) {
  unsigned char in[11];
  fathom_bytes(in, sizeof in, "in");
  enum { Size = SIZE };
  unsigned char *own = malloc(Size);
  unsigned sum = 0;
  for (int i = 0; i < 11; i++) {
    sum *= 2;
    if (in[i] > 'm') sum++;
    for (int k = i; k < Size; k += 512) own[k] = (unsigned char)(sum + k); // every page
  }
  unsigned check = 0;
  for (int k = 0; k < Size; k += 512) check += own[k + 10] == (unsigned char)(sum + k + 10);
  free(own);
  return check == Size / 512 + 1 ? 0 : 1;
}
