// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Every integer operation at every width from 1 to 128 bits, on corner values.
#include <stdint.h>
#include <stdio.h>

static const uint64_t kValues[] = {0, 1, 2, 3, 5, 7, 31, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x12345678, 0x7fffffff,
                                   0x80000000, 0xffffffff, 0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, ~0ull};
enum { kCount = sizeof kValues / sizeof *kValues };

static uint64_t digest = 14695981039346656037ull;
static void mix(uint64_t v) {
  for (int i = 0; i < 8; i++)
    digest = (digest ^ (v >> 8 * i & 0xff)) * 1099511628211ull;
}

// Signed arithmetic is done unsigned and converted: wrapping is not what is tested here.
#define OPERATIONS(S, U, BITS)                                                                                           \
  static void test_##S(void) {                                                                                           \
    digest = 14695981039346656037ull;                                                                                    \
    for (int i = 0; i < kCount; i++)                                                                                     \
      for (int j = 0; j < kCount; j++) {                                                                                 \
        volatile U va = (U)(kValues[i] * 0x9E3779B97F4A7C15ull + kValues[i]), vb = (U)kValues[j];                        \
        if (i & 1) va = (U)kValues[i];                                                                                   \
        U a = va, b = vb;                                                                                                \
        S x = (S)a, y = (S)b;                                                                                            \
        mix((uint64_t)(U)(a + b)), mix((uint64_t)(U)(a - b)), mix((uint64_t)(U)((a + 0u) * b));                                 \
        mix((uint64_t)(U)(a & b)), mix((uint64_t)(U)(a | b)), mix((uint64_t)(U)(a ^ b)), mix((uint64_t)(U)~a);           \
        if (b) mix((uint64_t)(U)(a / b)), mix((uint64_t)(U)(a % b));                                                     \
        if (y && y != (S)-1) mix((uint64_t)(U)(x / y)), mix((uint64_t)(U)(x % y));                                       \
        unsigned n = (unsigned)(b % BITS);                                                                               \
        mix((uint64_t)(U)((a + 0u) << n)), mix((uint64_t)(U)(a >> n)), mix((uint64_t)(U)(x >> n));                              \
        mix(a < b), mix(a <= b), mix(a > b), mix(a >= b), mix(a == b), mix(a != b);                                      \
        mix(x < y), mix(x <= y), mix(x > y), mix(x >= y);                                                                \
        mix((uint64_t)(U)(a < b ? a : b)), mix((uint64_t)(U)(x < y ? x : y)), mix((uint64_t)(U)(x < 0 ? -a : a));        \
        mix((uint64_t)(int64_t)x), mix((uint64_t)(int32_t)x), mix((uint64_t)(int16_t)x), mix((uint64_t)(int8_t)x);      \
        mix((uint64_t)!a), mix((uint64_t)(a && b)), mix((uint64_t)(a || b));                                             \
      }                                                                                                                  \
    printf("%s %016llx\n", #S, (unsigned long long)digest);                                                              \
  }

typedef __int128 int128;
typedef unsigned __int128 uint128;
#define BITINT(N)                                                                                                        \
  typedef _BitInt(N) bit##N;                                                                                             \
  typedef unsigned _BitInt(N) ubit##N;                                                                                   \
  OPERATIONS(bit##N, ubit##N, N)

OPERATIONS(int8_t, uint8_t, 8)
OPERATIONS(int16_t, uint16_t, 16)
OPERATIONS(int32_t, uint32_t, 32)
OPERATIONS(int64_t, uint64_t, 64)
OPERATIONS(int128, uint128, 128)
BITINT(2)
BITINT(3)
BITINT(7)
BITINT(9)
BITINT(13)
BITINT(17)
BITINT(24)
BITINT(31)
BITINT(33)
BITINT(48)
BITINT(63)
BITINT(65)
BITINT(77)
BITINT(96)
BITINT(127)

static void high128(void) {
  volatile uint64_t lows[] = {0, 1, 0xffffffffffffffff, 0x8000000000000000, 12345}, highs[] = {0, 1, 0x8000000000000000, 0xffffffffffffffff, 99};
  digest = 1;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 5; k++) {
        uint128 a = (uint128)highs[i] << 64 | lows[j], b = (uint128)highs[k] << 64 | lows[(i + j) % 5];
        uint128 results[] = {a + b, a - b, a * b, b ? a / b : 0, b ? a % b : 0, a << (lows[k] % 128), a >> (lows[k] % 128),
                             (uint128)((int128)a >> (lows[k] % 128)), (int128)b > 1 ? (uint128)((int128)a / (int128)b) : 0,
                             (int128)b > 1 ? (uint128)((int128)a % (int128)b) : 0, a < b, (int128)a < (int128)b, -a, ~a};
        for (unsigned n = 0; n < sizeof results / sizeof *results; n++)
          mix((uint64_t)results[n]), mix((uint64_t)(results[n] >> 64));
      }
  printf("high128 %016llx\n", (unsigned long long)digest);
}

int main(void) {
  test_int8_t(), test_int16_t(), test_int32_t(), test_int64_t(), test_int128();
  test_bit2(), test_bit3(), test_bit7(), test_bit9(), test_bit13(), test_bit17(), test_bit24(), test_bit31(), test_bit33();
  test_bit48(), test_bit63(), test_bit65(), test_bit77(), test_bit96(), test_bit127();
  high128();
  return 0;
}
