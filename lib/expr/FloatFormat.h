// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754's binary interchange formats as bit patterns.
#ifndef FATHOM_EXPR_FLOATFORMAT_H
#define FATHOM_EXPR_FLOATFORMAT_H

#include <cstdint>

namespace fathom::expr {

/// One of binary16, binary32 and binary64: sign, exponent and fraction, from the top.
struct FloatFormat {
  unsigned width, exponentBits, fractionBits;

  constexpr uint64_t signBit() const { return uint64_t(1) << (width - 1); }
  constexpr uint64_t magnitude() const { return signBit() - 1; } ///< All bits but the sign.
  /// All bits of the exponent, which is the pattern of infinity: greater magnitudes are NaNs.
  constexpr uint64_t infinity() const { return magnitude() >> fractionBits << fractionBits; }
  /// Set in NaNs that do not trap; clear in signalling ones.
  constexpr uint64_t quietBit() const { return uint64_t(1) << (fractionBits - 1); }
  /// What an operation on numbers gives when it has no result ("real indefinite" on x86-64).
  constexpr uint64_t defaultNaN() const { return signBit() | infinity() | quietBit(); }
  constexpr uint64_t one() const { return infinity() >> 1 & infinity(); }
  /// Integers of at most so many bits, without a sign, have an exact value.
  constexpr unsigned precision() const { return fractionBits + 1; }
  constexpr bool isNaN(uint64_t bits) const { return (bits & magnitude()) > infinity(); }
};

constexpr bool isFloatWidth(unsigned width) { return width == 16 || width == 32 || width == 64; }

/// The format of this width: 16, 32 or 64.
constexpr FloatFormat floatFormat(unsigned width) {
  return width == 64   ? FloatFormat{64, 11, 52}
         : width == 32 ? FloatFormat{32, 8, 23}
                       : FloatFormat{16, 5, 10};
}

} // namespace fathom::expr
#endif
