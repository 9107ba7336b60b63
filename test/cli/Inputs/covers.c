// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32 paths.
#include <fathom.h>
int main(void) {
  unsigned char in[5];
  fathom_bytes(in, sizeof in, "in");
  int status = 0;
  int large = 0;
  for (int i = 0; i < 5; i++)
    if (in[i] >= 'm') large++;
  if (in[0] >= 'm')
    status = 1;
  // One way of 32.
  if (!large)
    status = 2;
  return status;
}
