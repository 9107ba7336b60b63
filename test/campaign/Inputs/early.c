// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens before the first byte of the input is read: a table is built, or something goes wrong.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned table[256];
static char *names[64];

static void prepare(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned value = i;
    for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
    table[i] = value;
  }
  for (int i = 0; i < 64; i++) {
    names[i] = malloc(2000);
    memset(names[i], 'a' + i % 26, 2000);
  }
#ifdef CRASH
  *(volatile int *)0 = 1; // EARLY
#endif
#ifdef LOOP
  for (volatile unsigned endless = 0;; endless++) {
  }
#endif
}

int main(void) {
  char text[16] = "";
  prepare();
  long count = read(0, text, sizeof text);
  if (count > 0 && table[(unsigned char)text[0]] == table['z']) abort();
  return count > 0 && names[text[0] & 63][7] == text[0];
}
