/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: dot,saturated
 * effects: dot(in) -> value; saturated(in) -> value
 * input: --sym-stdin 8
 * Products of eight pairs, and sums that saturate. */
#include <emmintrin.h>
#include <unistd.h>

int dot(const unsigned char *a) {
  __m128i x = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)a), _mm_setzero_si128());
  __m128i weights = _mm_set_epi16(8, -7, 6, -5, 4, -3, 2, -1);
  __m128i sums = _mm_madd_epi16(x, weights);
  int out[4];
  _mm_storeu_si128((__m128i *)out, sums);
  return out[0] + out[1] + out[2] + out[3];
}
int saturated(const unsigned char *a) {
  __m128i x = _mm_loadl_epi64((const __m128i *)a);
  __m128i twice = _mm_adds_epu8(_mm_adds_epu8(x, x), x);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(twice, _mm_set1_epi8(-1))) & 0xff;
}

int main(void) {
  unsigned char in[8] = {0};
  read(0, in, 8);
  int sum = dot(in), mask = saturated(in);
  int status = 0;
  if (sum == 1234) status |= 1;
  if (sum < -2000) status |= 2;
  if (sum > 3500) status |= 4;
  if (mask == 0xff)
    status |= 8;
  else if (mask == 0x55)
    status |= 16;
  if (sum == 0 && mask == 0x81) status |= 32;
  return status;
}
