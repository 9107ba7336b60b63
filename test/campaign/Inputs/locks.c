// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What neither chance nor a dictionary opens, because both keys are computed, and a loop without end.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t number(void) {
  uint64_t key = 1;
  for (int i = 0; i < 40; i++) key = key * 6364136223846793005u + 1442695040888963407u;
  return key;
}

static void word(char *out) {
  for (int i = 0; i < 10; i++) out[i] = (char)('a' + (i * 7 + 3) % 26);
  out[10] = 0;
}

static void spin(volatile int *turns) {
  for (;;) ++*turns;
}

int main(void) {
  char text[64] = {0}, key[11];
  uint64_t value;
  int turns = 0;
  size_t length = fread(text, 1, sizeof text - 1, stdin);
  if (length > 3 && text[0] == 'l' && text[1] == 'o') spin(&turns);
  if (length < 24) return 1;
  memcpy(&value, text, sizeof value);
  if (value == number()) *(volatile int *)0 = 1;
  word(key);
  if (strcmp(text + 12, key) == 0) __builtin_trap();
  return 0;
}
