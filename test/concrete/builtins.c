// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Compiler builtins: overflow checks, bit counting, byte swaps, rotations, saturation, expect, object sizes, memory intrinsics.
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define OVERFLOW(T, F)                                                                                                   \
  do {                                                                                                                   \
    static const long long values[] = {0, 1, -1, 2, 100, -100, 127, 128, -128, 255, 32767, 65535, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN}; \
    unsigned long long h = 7;                                                                                            \
    for (unsigned i = 0; i < 17; i++)                                                                                    \
      for (unsigned j = 0; j < 17; j++) {                                                                                \
        volatile T a = (T)values[i], b = (T)values[j];                                                                   \
        T r;                                                                                                             \
        bool o = __builtin_add_overflow(a, b, &r);                                                                       \
        h = h * 1000003 + (unsigned long long)r * 2 + o;                                                                 \
        o = __builtin_sub_overflow(a, b, &r), h = h * 1000003 + (unsigned long long)r * 2 + o;                           \
        o = __builtin_mul_overflow(a, b, &r), h = h * 1000003 + (unsigned long long)r * 2 + o;                           \
      }                                                                                                                  \
    printf("%s " F "\n", #T, h);                                                                                         \
  } while (0)

int main(int argc, char **argv) {
  OVERFLOW(signed char, "%llx");
  OVERFLOW(unsigned char, "%llx");
  OVERFLOW(short, "%llx");
  OVERFLOW(int, "%llx");
  OVERFLOW(unsigned, "%llx");
  OVERFLOW(long long, "%llx");
  OVERFLOW(unsigned long long, "%llx");
  int narrow;
  printf("%d", __builtin_add_overflow(INT_MAX, (long long)argc, &narrow));
  printf(" %d", __builtin_mul_overflow(1000000, 1000000u * (unsigned)argc, &narrow));
  __int128 wide;
  printf(" %d\n", __builtin_mul_overflow((__int128)1 << 100, (__int128)argc << 30, &wide));
  unsigned char carryless;
  unsigned carry;
  printf("%u", __builtin_addc(UINT_MAX, (unsigned)argc, 1u, &carry));
  printf(" %u\n", carry);
  for (unsigned long long v = 1; v; v <<= 9) {
    volatile unsigned long long x = v | v >> 3;
    unsigned y = (unsigned)x | 1;
    printf("%d %d %d %d %d %d ", __builtin_popcountll(x), __builtin_clzll(x), __builtin_ctzll(x), __builtin_parityll(x), __builtin_clz(y), __builtin_ctz(y));
    printf("%x %llx %x %d\n", __builtin_bswap32(y), __builtin_bswap64(x), __builtin_bswap16((uint16_t)y), __builtin_ffsll((long long)x));
    printf("%x %llx %x %x\n", __builtin_bitreverse32(y), __builtin_bitreverse64(x), __builtin_bitreverse8((uint8_t)y), __builtin_bitreverse16((uint16_t)y));
    printf("%x %llx %x %x\n", __builtin_rotateleft32(y, y & 31), __builtin_rotateright64(x, y & 63), __builtin_rotateleft8((uint8_t)y, 3), __builtin_rotateright16((uint16_t)y, 5));
  }
  volatile int a = INT_MAX - 5, b = 10;
  printf("%d %d %u\n", __builtin_elementwise_add_sat(a, b), __builtin_elementwise_sub_sat(-a, b * 2), __builtin_elementwise_sub_sat(3u, (unsigned)b));
  if (__builtin_expect(argc > 1, 1)) puts("expected");
  printf("%d %d\n", __builtin_abs(-argc), (int)__builtin_labs(-5L));
  char block[16];
  printf("%d %d\n", (int)__builtin_object_size(block, 0), __builtin_constant_p(argc) ? 1 : 0);
  __builtin_memset(block, 'a', 16), __builtin_memcpy(block + 2, "xyz", 3), __builtin_memmove(block + 4, block, 8);
  printf("%.16s %d\n", block, __builtin_memcmp(block, "aa", 2));
  volatile size_t n = 7;
  memset(block, '-', n), memmove(block + 1, block + 5, n), memcpy(block, "", 0);
  printf("%.16s\n", block);
  __builtin_prefetch(block);
  printf("%d\n", __builtin_types_compatible_p(int, long) + __builtin_choose_expr(1, 5, 6));
  __asm__ volatile("" ::: "memory");
  return 0;
}
