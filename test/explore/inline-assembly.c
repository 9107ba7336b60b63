// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly that programs commonly contain is executed, also on symbolic values, and replays.
// RUN: %fathom-cc -g %s -o %t
// RUN: %explore %t %t.e paths_completed=4 statuses=0,1,2,3
// RUN: %fathom replay %t %t.e.out | FileCheck %s
// CHECK: branch traces all 4 agree
#include <fathom.h>
#include <stdint.h>

static uint32_t swap32(uint32_t x) {
  __asm__("bswapl %0" : "+r"(x));
  return x;
}
static uint64_t swap64(uint64_t x) {
  __asm__("bswap %q0" : "=r"(x) : "0"(x));
  return x;
}
static uint64_t cycles(void) {
  uint32_t low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}
#define add_ssaaaa(sh, sl, ah, al, bh, bl)                                                         \
  __asm__("addq %5,%q1\n\tadcq %3,%q0"                                                             \
          : "=r"(sh), "=&r"(sl)                                                                    \
          : "0"((uint64_t)(ah)), "rme"((uint64_t)(bh)), "%1"((uint64_t)(al)),                      \
            "rme"((uint64_t)(bl)))
#define sub_ddmmss(sh, sl, ah, al, bh, bl)                                                         \
  __asm__("subq %5,%q1\n\tsbbq %3,%q0"                                                             \
          : "=r"(sh), "=&r"(sl)                                                                    \
          : "0"((uint64_t)(ah)), "rme"((uint64_t)(bh)), "1"((uint64_t)(al)), "rme"((uint64_t)(bl)))
#define umul_ppmm(w1, w0, u, v)                                                                    \
  __asm__("mulq %3" : "=a"(w0), "=d"(w1) : "%0"((uint64_t)(u)), "rm"((uint64_t)(v)))
#define udiv_qrnnd(q, r, n1, n0, dx)                                                               \
  __asm__("divq %4"                                                                                \
          : "=a"(q), "=d"(r)                                                                       \
          : "0"((uint64_t)(n0)), "1"((uint64_t)(n1)), "rm"((uint64_t)(dx)))

int main(void) {
  uint64_t high, low, q, r, n = 0x123456789abcdef0, bit;
  if (swap32(0x01020304) != 0x04030201 || swap64(0x0102030405060708) != 0x0807060504030201)
    return 90;
  uint64_t before = cycles(), after = cycles();
  if (after <= before) return 91;
  add_ssaaaa(high, low, 1, ~0ull, 2, 5);
  if (high != 4 || low != 4) return 92;
  sub_ddmmss(high, low, 4, 4, 2, 5);
  if (high != 1 || low != ~0ull) return 93;
  umul_ppmm(high, low, n, n);
  if (high != (uint64_t)((unsigned __int128)n * n >> 64) || low != n * n) return 94;
  udiv_qrnnd(q, r, 7, 9, n);
  if (q != (uint64_t)(((unsigned __int128)7 << 64 | 9) / n) ||
      r != (uint64_t)(((unsigned __int128)7 << 64 | 9) % n))
    return 95;
  __asm__("bsrq %1,%q0" : "=r"(bit) : "rm"(n));
  if (bit != 60) return 96;
  __asm__("bsfq %1,%q0" : "=r"(bit) : "rm"(n));
  if (bit != 4) return 97;
  __asm__ __volatile__("" ::: "memory");
  __asm__ __volatile__("mfence" ::: "memory");

  uint32_t x;
  fathom_bytes(&x, sizeof x, "x");
  if (swap32(x) == 0x11223344) return x == 0x44332211 ? 1 : 98;
  umul_ppmm(high, low, (uint64_t)x << 32, 16);
  if (high == 7) return x >> 28 == 7 ? 2 : 99;
  add_ssaaaa(high, low, 0, x, 0, ~0ull - 0xff);
  if (high) return 3; // x >= 0x100
  return 0;
}
