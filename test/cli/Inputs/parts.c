// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes another path natively: the engine's argv lies elsewhere.
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argv[1][0] == 'a') puts("a");
  if ((uintptr_t)argv[1] >> 41 > 40)
    puts("native");
  else
    puts("engine");
  return 0;
}
