// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two words of which the program knows only the hash: no fuzzer guesses them.
#include <stdlib.h>
#include <unistd.h>

static unsigned hash(const unsigned char *text) {
  unsigned h = 5381;
  for (int i = 0; i < 6; i++) h = h * 33 ^ text[i];
  return h;
}

int main(void) {
  unsigned char text[64];
  if (read(0, text, sizeof text) < 6) return 0;
  if (hash(text) == 148483960u) abort();     // \x01qZ\xfe"k
  if (hash(text) == 1486846905u) return *(volatile char *)0; // mutate
  return 1;
}
