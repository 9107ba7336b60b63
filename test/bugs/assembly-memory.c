// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize none
// What inline assembly reads it reads even where nothing uses the value: the address can be wrong.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void probe(uintptr_t at) {
#ifdef FIXED
  if (!at) return;
#endif
  __asm__ volatile("testb $0, (%0)" : : "r"(at) : "cc", "memory"); // BUG null-dereference
}
static void touch(char *p, unsigned n) {
#ifdef FIXED
  if (n >= 4) return;
#endif
  __asm__ volatile("movb (%0,%q1), %%al" : : "r"(p), "r"((uint64_t)n) : "rax", "memory"); // BUG out-of-bounds-read
}
static void operand(const uint32_t *p, unsigned n) {
#ifdef FIXED
  if (n >= 1) return;
#endif
  __asm__ volatile("cmpl $1, %0" : : "m"(p[n]) : "cc"); // BUG out-of-bounds-read
}
static void bit(const uint32_t *p, uint64_t n) {
#ifdef FIXED
  if (n >= 32) return;
#endif
  __asm__ volatile("btq %1, (%0)" : : "r"(p), "r"(n) : "cc", "memory"); // BUG out-of-bounds-read
}

int main(void) {
  unsigned char in[2] = {0};
  char place;
  read(0, in, sizeof in);
  char *block = malloc(8);
  if (!block) return 0;
  for (int i = 0; i < 8; i++) block[i] = 0;
  switch (in[0]) {
  case 'n': probe(in[1] & 1 ? (uintptr_t)&place : 0); break;
  case 'b': touch(block + 4, in[1] & 7); break;
  case 'm': operand((uint32_t *)(void *)(block + 4), in[1] & 1); break;
  case 't': bit((uint32_t *)(void *)block, in[1] & 64); break;
  }
  free(block);
  return 0;
}
