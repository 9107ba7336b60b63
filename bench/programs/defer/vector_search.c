/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: positions,below
 * effects: positions(in, value) -> value; below(in, value) -> value
 * input: --sym-stdin 16
 * Bytes searched sixteen at a time: a separator, digits, and what stands between. */
#include <emmintrin.h>
#include <unistd.h>

unsigned positions(const char *text, int byte) {
  __m128i all = _mm_loadu_si128((const __m128i *)text);
  return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)byte)));
}
unsigned below(const char *text, int byte) {
  __m128i all = _mm_loadu_si128((const __m128i *)text);
  return (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(all, _mm_set1_epi8((char)byte)));
}

int main(void) {
  char in[16] = {0};
  read(0, in, 16);
  unsigned colons = positions(in, ':'), low = below(in, '0');
  if (!colons) return low == 0xffff ? 1 : low ? 2 : 3;
  int first = __builtin_ctz(colons);
  if (first == 0) return 4;
  if (__builtin_popcount(colons) == 3) {
    if (low == 0) return 5;
    if (positions(in, 'a') == 1) return 6;
    return 7;
  }
  if (first == 9 && in[0] == 'x') return 8;
  return first > 12 ? 9 : 10;
}
