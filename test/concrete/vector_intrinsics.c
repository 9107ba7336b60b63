// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t -mssse3 -msse4.1 -mbmi -mbmi2
// x86 intrinsics that are read as ordinary instructions: the processor's results, on random values and on those at the edges.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FUN __attribute__((noinline)) static

static uint64_t state = 0x9e3779b97f4a7c15;
static uint64_t word(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state * 0x2545f4914f6cdd1d;
}
// Random bits, with elements among them that are extreme.
static __m128i integers(void) {
  static const uint16_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7f80};
  uint16_t x[8];
  for (int i = 0; i < 8; i++) {
    uint64_t w = word();
    x[i] = w & 0x30000 ? (uint16_t)w : edges[(w >> 20) % 10];
  }
  return _mm_loadu_si128((const __m128i *)x);
}
static float number(void) {
  static const float edges[] = {0, -0.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 1e10f, -3e9f, 0x1p31f, -0x1p31f, 0x1p63f, -0x1p63f,
                                1e-40f, __builtin_inff(), -__builtin_inff(), __builtin_nanf("")};
  uint64_t w = word();
  return w & 3 ? (float)(int64_t)word() * (w & 4 ? 0x1p-60f : w & 8 ? 0x1p-31f : 0x1p-8f) : edges[(w >> 20) % 17];
}
static __m128 floats(void) { return _mm_setr_ps(number(), number(), number(), number()); }
static __m128d doubles(void) { return _mm_setr_pd(number(), number()); }

static uint64_t hash;
static void add(const void *p, unsigned n) {
  const unsigned char *b = p;
  while (n--) hash = (hash ^ *b++) * 0x100000001b3;
}
#define SHOW(name) printf("%-24s %016llx\n", name, (unsigned long long)hash), hash = 0
#define REPEAT for (int i = 0; i < 24; i++)

#define INT2(op)                                                                                                       \
  FUN void test##op(void) {                                                                                            \
    REPEAT {                                                                                                           \
      __m128i a = integers(), b = integers(), r = op(a, b);                                                            \
      add(&r, 16);                                                                                                     \
    }                                                                                                                  \
    SHOW(#op);                                                                                                         \
  }
#define INT2S(X)                                                                                                       \
  X(_mm_sad_epu8) X(_mm_packs_epi16) X(_mm_packs_epi32) X(_mm_packus_epi16) X(_mm_packus_epi32) X(_mm_madd_epi16)      \
  X(_mm_maddubs_epi16) X(_mm_mulhi_epi16) X(_mm_mulhi_epu16) X(_mm_mulhrs_epi16) X(_mm_avg_epu8) X(_mm_avg_epu16)      \
  X(_mm_shuffle_epi8) X(_mm_hadd_epi16) X(_mm_hadd_epi32) X(_mm_hsub_epi16) X(_mm_hsub_epi32) X(_mm_hadds_epi16)       \
  X(_mm_hsubs_epi16) X(_mm_sign_epi8) X(_mm_sign_epi16) X(_mm_sign_epi32)
INT2S(INT2)

// Counts: few and many bits, more than there are, and a half that does not count.
#define SHIFT(op)                                                                                                      \
  FUN void test##op(void) {                                                                                            \
    REPEAT {                                                                                                           \
      __m128i a = integers(), n = _mm_set_epi64x((long long)word(), i < 20 ? i * 4 : (long long)word());              \
      __m128i r = op(a, n);                                                                                            \
      add(&r, 16);                                                                                                     \
    }                                                                                                                  \
    SHOW(#op);                                                                                                         \
  }
#define SHIFTI(op)                                                                                                     \
  FUN void test##op(void) {                                                                                            \
    REPEAT {                                                                                                           \
      __m128i a = integers(), r = op(a, i < 20 ? i * 4 : i == 20 ? -1 : (int)word());                                  \
      add(&r, 16);                                                                                                     \
    }                                                                                                                  \
    SHOW(#op);                                                                                                         \
  }
#define SHIFTS(X, s)                                                                                                   \
  X(_mm_sll##s##_epi16) X(_mm_sll##s##_epi32) X(_mm_sll##s##_epi64) X(_mm_srl##s##_epi16) X(_mm_srl##s##_epi32)        \
  X(_mm_srl##s##_epi64) X(_mm_sra##s##_epi16) X(_mm_sra##s##_epi32)
SHIFTS(SHIFT, )
SHIFTS(SHIFTI, i)

#define NUMBER(op, count, ...)                                                                                         \
  FUN void test##op##count(void) {                                                                                     \
    REPEAT {                                                                                                           \
      __m128i a = integers(), b = i & 1 ? integers() : i & 2 ? a : _mm_andnot_si128(a, integers());                    \
      __m128 f = floats(), g = i & 1 ? floats() : f;                                                                   \
      __m128d d = doubles(), e = i & 1 ? doubles() : d;                                                                \
      int64_t r = (int64_t)op(__VA_ARGS__);                                                                            \
      (void)b, (void)g, (void)e;                                                                                       \
      add(&r, 8);                                                                                                      \
    }                                                                                                                  \
    SHOW(#op);                                                                                                         \
  }
#define COMPARED(X, kind, count, ...)                                                                                  \
  X(_mm_comieq_##kind, count, __VA_ARGS__) X(_mm_comilt_##kind, count, __VA_ARGS__)                                    \
  X(_mm_comile_##kind, count, __VA_ARGS__) X(_mm_comigt_##kind, count, __VA_ARGS__)                                    \
  X(_mm_comige_##kind, count, __VA_ARGS__) X(_mm_comineq_##kind, count, __VA_ARGS__)                                   \
  X(_mm_ucomieq_##kind, count, __VA_ARGS__) X(_mm_ucomilt_##kind, count, __VA_ARGS__)                                  \
  X(_mm_ucomineq_##kind, count, __VA_ARGS__) X(_mm_ucomige_##kind, count, __VA_ARGS__)
#define NUMBERS(X)                                                                                                     \
  X(_mm_movemask_epi8, 1, a) X(_mm_movemask_ps, 1, f) X(_mm_movemask_pd, 1, d) X(_mm_testz_si128, 2, a, b)             \
  X(_mm_testc_si128, 2, a, b) X(_mm_testnzc_si128, 2, a, b) X(_mm_cvtss_si32, 1, f) X(_mm_cvtss_si64, 1, f)            \
  X(_mm_cvttss_si32, 1, f) X(_mm_cvttss_si64, 1, f) X(_mm_cvtsd_si32, 1, d) X(_mm_cvtsd_si64, 1, d)                    \
  X(_mm_cvttsd_si32, 1, d) X(_mm_cvttsd_si64, 1, d) COMPARED(X, ss, 2, f, g) COMPARED(X, sd, 2, d, e)                  \
  X(_bextr_u32, 3, (unsigned)word(), (unsigned)i * 2, (unsigned)i + 10) X(_bextr_u64, 3, word(), (unsigned)i * 4, 20)  \
  X(_bzhi_u32, 2, (unsigned)word(), (unsigned)i * 2) X(_bzhi_u64, 2, word(), (unsigned)word())
NUMBERS(NUMBER)

#define VECTOR(op, count, ...)                                                                                         \
  FUN void test##op##count(void) {                                                                                     \
    REPEAT {                                                                                                           \
      __m128i a = integers(), b = integers(), c = integers();                                                          \
      __m128 f = floats(), g = i & 1 ? floats() : f;                                                                   \
      __m128d d = doubles(), e = i & 1 ? doubles() : d;                                                                \
      __typeof__(op(__VA_ARGS__)) r = op(__VA_ARGS__);                                                                 \
      (void)a, (void)b, (void)c, (void)f, (void)g, (void)d, (void)e;                                                   \
      add(&r, 16);                                                                                                     \
    }                                                                                                                  \
    SHOW(#op);                                                                                                         \
  }
#define MASKS(X, kind, ...)                                                                                            \
  X(_mm_cmpeq_##kind, 2, __VA_ARGS__) X(_mm_cmplt_##kind, 2, __VA_ARGS__) X(_mm_cmple_##kind, 2, __VA_ARGS__)          \
  X(_mm_cmpunord_##kind, 2, __VA_ARGS__) X(_mm_cmpneq_##kind, 2, __VA_ARGS__) X(_mm_cmpnlt_##kind, 2, __VA_ARGS__)     \
  X(_mm_cmpnle_##kind, 2, __VA_ARGS__) X(_mm_cmpord_##kind, 2, __VA_ARGS__) X(_mm_cmpgt_##kind, 2, __VA_ARGS__)        \
  X(_mm_min_##kind, 2, __VA_ARGS__) X(_mm_max_##kind, 2, __VA_ARGS__)
#define VECTORS(X)                                                                                                     \
  X(_mm_blendv_epi8, 3, a, b, c) X(_mm_blendv_ps, 3, f, g, _mm_castsi128_ps(c))                                        \
  X(_mm_blendv_pd, 3, d, e, _mm_castsi128_pd(c)) X(_mm_minpos_epu16, 1, a) X(_mm_lddqu_si128, 1, &a)                   \
  X(_mm_mpsadbw_epu8, 0, a, b, 0) X(_mm_mpsadbw_epu8, 1, a, b, 5) X(_mm_mpsadbw_epu8, 2, a, b, 7)                      \
  X(_mm_insert_ps, 0, f, g, 0x4a) X(_mm_insert_ps, 1, f, g, 0xb0) X(_mm_insert_ps, 2, f, g, 0x25)                      \
  MASKS(X, ss, f, g) MASKS(X, sd, d, e) MASKS(X, ps, f, g) MASKS(X, pd, d, e)                                          \
  X(_mm_cvtps_epi32, 1, f) X(_mm_cvttps_epi32, 1, f) X(_mm_cvtpd_epi32, 1, d) X(_mm_cvttpd_epi32, 1, d)                \
  X(_mm_cvtpd_ps, 1, d) X(_mm_cvtsd_ss, 1, f, d)                                                                       \
  X(_mm_round_ps, 0, f, 8) X(_mm_round_ps, 1, f, 9) X(_mm_round_ps, 2, f, 10) X(_mm_round_ps, 3, f, 11)                \
  X(_mm_round_pd, 0, d, 8) X(_mm_round_pd, 1, d, 9) X(_mm_round_pd, 2, d, 10) X(_mm_round_pd, 4, d, 4)                 \
  X(_mm_round_ss, 0, f, g, 9) X(_mm_round_sd, 0, d, e, 10)
VECTORS(VECTOR)

// Without NaNs, of which a sum has either.
#define SUM(op, count, ...)                                                                                            \
  FUN void test##op##count(void) {                                                                                     \
    REPEAT {                                                                                                           \
      __m128 f = _mm_cvtepi32_ps(integers()), g = _mm_cvtepi32_ps(integers());                                         \
      __m128d d = _mm_cvtepi32_pd(integers()), e = _mm_cvtepi32_pd(integers());                                        \
      __typeof__(op(__VA_ARGS__)) r = op(__VA_ARGS__);                                                                 \
      (void)f, (void)g, (void)d, (void)e;                                                                              \
      add(&r, 16);                                                                                                     \
    }                                                                                                                  \
    SHOW(#op);                                                                                                         \
  }
#define SUMS(X)                                                                                                        \
  X(_mm_hadd_ps, 2, f, g) X(_mm_hadd_pd, 2, d, e) X(_mm_hsub_ps, 2, f, g) X(_mm_hsub_pd, 2, d, e)                      \
  X(_mm_addsub_ps, 2, f, g) X(_mm_addsub_pd, 2, d, e) X(_mm_dp_ps, 0, f, g, 0xff) X(_mm_dp_ps, 1, f, g, 0x7a)          \
  X(_mm_dp_pd, 0, d, e, 0x33) X(_mm_dp_pd, 1, d, e, 0x21)
SUMS(SUM)

FUN void testCarries(void) {
  REPEAT {
    uint64_t x = i & 1 ? word() : ~0ull, y = i & 2 ? word() : 0, carry;
    unsigned long long r;
    unsigned s;
    carry = _addcarry_u64((unsigned char)(i & 4), x, y, &r);
    add(&carry, 8), add(&r, 8);
    carry = _subborrow_u64((unsigned char)(i & 4), y, x, &r);
    add(&carry, 8), add(&r, 8);
    carry = _addcarry_u32((unsigned char)(i & 4), (unsigned)x, (unsigned)y, &s);
    add(&carry, 8), add(&s, 4);
    carry = _subborrow_u32((unsigned char)(i & 4), (unsigned)y, (unsigned)x, &s);
    add(&carry, 8), add(&s, 4);
  }
  SHOW("carries");
}

int main(void) {
#define RUN(op) test##op();
#define RUNC(op, count, ...) test##op##count();
  INT2S(RUN)
  SHIFTS(RUN, )
  SHIFTS(RUN, i)
  NUMBERS(RUNC)
  VECTORS(RUNC)
  SUMS(RUNC)
  testCarries();
  return 0;
}
