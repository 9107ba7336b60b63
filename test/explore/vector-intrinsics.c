// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86 intrinsics on symbolic values are terms like other instructions: each result that a branch needs is found, and the processor
// agrees, which executes the intrinsics themselves on replay.
// RUN: %explore %s %t --cc=-mssse3 --cc=-msse4.1 statuses=0,1,2,3,4,5,6
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
#include <fathom.h>
#include <immintrin.h>

int main(void) {
  unsigned char in[8];
  int which = (int)fathom_range(0, 6, "which");
  fathom_bytes(in, sizeof in, "in");
  __m128i x = _mm_loadl_epi64((const __m128i *)in), none = _mm_setzero_si128();
  int found = 0;
  switch (which) {
  case 0:
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(':'))) == 0x24) found = 1;
    break;
  case 1: // of at most 2040
    if (_mm_cvtsi128_si32(_mm_sad_epu8(x, none)) == 2037) found = 2;
    break;
  case 2: // a sum that saturates
    if (_mm_extract_epi16(_mm_maddubs_epi16(x, _mm_set1_epi8(127)), 2) == 0x7fff) found = 3;
    break;
  case 3: { // bytes chosen by the input
    __m128i r = _mm_shuffle_epi8(_mm_setr_epi8(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3), x);
    if (_mm_cvtsi128_si32(r) == 0x08000206) found = 4;
    break;
  }
  case 4:
    if (_mm_cvtsi128_si32(_mm_sll_epi32(_mm_set1_epi32(5), x)) == 0xa0) found = 5;
    break;
  case 5:
    if (_mm_testz_si128(x, _mm_set1_epi16(0x7ffe)) && _mm_testc_si128(x, _mm_set_epi64x(0, 0x8001))) found = 6;
    break;
  default: break;
  }
  return found;
}
