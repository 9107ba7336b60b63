// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize none
// Divisions in inline assembly: a divisor of zero, and a quotient that does not fit.
#include <stdint.h>
#include <unistd.h>

static uint32_t byZero(uint32_t n, uint32_t d) {
  uint32_t q, r;
#ifdef FIXED
  if (!d) return 0;
#endif
  __asm__("divl %4" : "=a"(q), "=d"(r) : "0"(n), "1"(0), "rm"(d) : "cc"); // BUG division-by-zero
  return q ^ r;
}
static uint64_t tooLarge(uint64_t high, uint64_t d) {
  uint64_t q, r;
#ifdef FIXED
  if (high >= d) return 0;
#else
  if (!d) return 0;
#endif
  __asm__("divq %4" : "=a"(q), "=d"(r) : "0"(1ul), "1"(high), "rm"(d) : "cc"); // BUG division-by-zero
  return q ^ r;
}
static int32_t negated(int32_t n, int32_t d) {
  int32_t q, r;
#ifdef FIXED
  if (d == -1) return 0;
#endif
  if (!d) return 0;
  __asm__("cltd; idivl %2" : "+a"(n), "=&d"(r) : "r"(d) : "cc"); // BUG division-by-zero
  return n ^ r;
}

static uint32_t literally(void) {
  uint32_t q = 0, r;
#ifndef FIXED
  __asm__("divl %4" : "=a"(q), "=d"(r) : "0"(1u), "1"(0u), "r"(0u) : "cc"); // BUG division-by-zero
#endif
  return q;
}

int main(void) {
  signed char in[3] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'z': return (int)byZero(7, (uint32_t)in[1]) & 1;
  case 'l': return (int)tooLarge((unsigned char)in[1] & 3, (unsigned char)in[2] & 3) & 1;
  case '0': return literally() & 1;
  case 'n': return negated(INT32_MIN, in[1]) & 1;
  }
  return 0;
}
