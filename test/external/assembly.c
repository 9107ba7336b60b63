// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-maes --cc=-msse4.2 statuses=0,1,2,3,4,5,6,7,8,9 ledger=0 -- --external defer-strict
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// RUN: FileCheck %s --check-prefix=STATS <%t.out/stats.json
// STATS: "deferred_calls": {{[1-9]}}
//
// Inline assembly and intrinsics without a meaning of their own are executed: branches need particular results, and the inputs that
// were found for them give these natively. Operands in registers, in memory, tied, of several words; results that are flags.
#include <fathom.h>
#include <stdint.h>
#include <string.h>
#include <wmmintrin.h>
#include <nmmintrin.h>

static uint32_t rotated(uint32_t x, uint8_t n) {
  __asm__("roll %%cl, %0" : "+r"(x) : "c"(n) : "cc");
  return x;
}
static int32_t product(int32_t x, int32_t y) {
  __asm__("imull %1, %0" : "+r"(x) : "r"(y));
  return x;
}
static unsigned bits(uint64_t x) {
  uint64_t n;
  __asm__("popcntq %1, %0" : "=r"(n) : "rm"(x));
  return (unsigned)n;
}
// Three words and a carry; the last sum in memory.
static int sum(uint64_t out[3], const uint64_t x[3], uint64_t y) {
  int carry;
  uint64_t low = x[0], middle = x[1];
  out[2] = x[2];
  __asm__("addq %4, %0\n\tadcq $0, %1\n\tadcq $0, %2"
          : "+r"(low), "+r"(middle), "+m"(out[2]), "=@ccc"(carry)
          : "r"(y));
  out[0] = low, out[1] = middle;
  return carry;
}
static void copy(void *to, const void *from, unsigned long n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
static int firstZero(const char *text) { // a local label, and memory behind a pointer
  int n;
  __asm__("xorl %0, %0\n1: cmpb $0, (%1,%q0)\n\tje 2f\n\tincl %0\n\tjmp 1b\n2:" : "=&r"(n) : "r"(text) : "memory", "cc");
  return n;
}

int main(void) {
  unsigned char in[16];
  int which = (int)fathom_range(0, 8, "which"), found = 0;
  fathom_bytes(in, sizeof in, "in");
  switch (which) {
  case 0:
    if (rotated(in[0], in[1] & 31) == 0x2c00) found = 1;
    break;
  case 1:
    if (product(in[0] - 128, in[1] - 128) == -91) found = 2;
    break;
  case 2:
    if (bits((uint64_t)in[0] << 40 | in[1]) == 15) found = 3;
    break;
  case 3: {
    uint64_t x[3] = {~0ull - in[0], ~0ull, ~0ull - in[1]}, out[3];
    if (sum(out, x, in[2]) && out[0] == 100) found = 4;
    break;
  }
  case 4: {
    unsigned char there[4] = {0};
    copy(there, in, 3);
    if (there[2] == 'x') found = 5;
    break;
  }
  case 5: {
    char text[6];
    memcpy(text, in, 5), text[5] = 0;
    if (firstZero(text) == 3) found = 6;
    break;
  }
  case 6:
    if ((_mm_crc32_u8(0, in[0]) & 0xff) == 0x6c) found = 7;
    break;
  case 7: {
    __m128i r = _mm_aesenc_si128(_mm_set1_epi8((char)in[0]), _mm_setzero_si128());
    if ((uint8_t)_mm_cvtsi128_si32(r) == 0x2b) found = 8;
    break;
  }
  default: // nothing symbolic
    if (rotated(0x80000001, 4) == 0x18 && bits(255) == 8) found = 9;
  }
  return found;
}
