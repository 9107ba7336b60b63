// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// A state machine that accepts numbers with sign, fraction and exponent.
enum { SIZE = 6, LIMIT = 5 };
#define BYTES_BELOW
#include "oracle.h"
enum { kDigit, kDot, kE, kSign, kEnd };

static int program(const unsigned char *in) {
  enum { Start, Signed, Whole, Dot, Fraction, Exponent, ExponentSign, Power } state = Start;
  int i;
  for (i = 0; i < SIZE; i++) {
    unsigned char c = in[i];
    if (c == kEnd)
      break;
    switch (state) {
    case Start: state = c == kSign ? Signed : c == kDigit ? Whole : c == kDot ? Dot : -1; break;
    case Signed: state = c == kDigit ? Whole : c == kDot ? Dot : -1; break;
    case Whole: state = c == kDigit ? Whole : c == kDot ? Fraction : c == kE ? Exponent : -1; break;
    case Dot: state = c == kDigit ? Fraction : -1; break;
    case Fraction: state = c == kDigit ? Fraction : c == kE ? Exponent : -1; break;
    case Exponent: state = c == kSign ? ExponentSign : c == kDigit ? Power : -1; break;
    case ExponentSign: state = c == kDigit ? Power : -1; break;
    case Power: state = c == kDigit ? Power : -1; break;
    }
    if ((int)state < 0)
      return 100 + i;
  }
  return (state == Whole || state == Fraction || state == Power) * 50 + i;
}
