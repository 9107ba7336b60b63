// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of every floating-point operation on constants, in one place: the builders fold with
// it, the evaluators compute with it, the interpreter runs concrete code with it, and the solver's
// encoding says the same. Computed by the host's arithmetic, except for NaNs, about which IEEE 754
// leaves much open and a compiler may exchange operands. Here they are what SSE instructions give
// for operands in the order of the source:
//   * arithmetic on a NaN gives the first operand that is one, made quiet;
//   * an invalid operation on numbers (inf - inf, 0 / 0, sqrt(-1)) gives FloatFormat::defaultNaN();
//   * a conversion to another width keeps sign and upper payload bits and makes the NaN quiet;
//   * rounding to an integral value gives the NaN itself, as musl's floor and its kin do;
//   * fma(x, y, z) looks at z first, as musl's, which the native program calls, is compiled.
// A conversion to an integer of n bits that cannot hold the value gives 2^(n-1), the "integer
// indefinite" of x86-64 (C leaves it undefined).
//
// Halves are computed as floats and rounded once more: exact, for twice the precision and two bits
// are enough [figueroa]; fma is the exception, see ExprContext::ffma.
#ifndef FATHOM_EXPR_FLOATFOLD_H
#define FATHOM_EXPR_FLOATFOLD_H

#include "expr/Expr.h"
#include "expr/FloatFormat.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace fathom::expr {

constexpr bool isFloatKind(Kind k) { return k >= Kind::FAdd && k <= Kind::FToU; }
constexpr bool isFloatPredicate(Kind k) { return k >= Kind::FEq && k <= Kind::FLe; }
/// Two operands of equal width: arithmetic and predicates.
constexpr bool isFloatBinary(Kind k) { return k >= Kind::FAdd && k <= Kind::FLe; }
/// The result is a floating-point number.
constexpr bool isFloatValued(Kind k) {
  return isFloatKind(k) && !isFloatPredicate(k) && k != Kind::FToS && k != Kind::FToU;
}

// --- on the host's types: _Float16, float, double
// ----------------------------------------------------------------------------------------------

template <typename T> inline constexpr FloatFormat kFormatOf = floatFormat(sizeof(T) * 8);
/// What computations on T are done in.
template <typename T> using FloatWork = std::conditional_t<std::is_same_v<T, _Float16>, float, T>;

template <typename T> uint64_t bitsOf(T v) {
  uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}
template <typename T> T floatOf(uint64_t bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

/// The result of arithmetic that is a NaN: of the operands' bits.
constexpr uint64_t resultNaN(const FloatFormat &f, uint64_t a, uint64_t b) {
  return f.isNaN(a) ? a | f.quietBit() : f.isNaN(b) ? b | f.quietBit() : f.defaultNaN();
}

/// FAdd .. FDiv.
template <Kind K, typename T> T floatArithmetic(T x, T y) {
  const auto a = static_cast<FloatWork<T>>(x), b = static_cast<FloatWork<T>>(y);
  T result;
  if constexpr (K == Kind::FAdd)
    result = static_cast<T>(a + b);
  else if constexpr (K == Kind::FSub)
    result = static_cast<T>(a - b);
  else if constexpr (K == Kind::FMul)
    result = static_cast<T>(a * b);
  else
    result = static_cast<T>(a / b);
  if (result != result) [[unlikely]]
    return floatOf<T>(resultNaN(kFormatOf<T>, bitsOf(x), bitsOf(y)));
  return result;
}

template <typename T> T floatSqrt(T x) {
  const T result = static_cast<T>(std::sqrt(static_cast<FloatWork<T>>(x)));
  if (result == result) return result;
  return floatOf<T>(resultNaN(kFormatOf<T>, bitsOf(x), bitsOf(x)));
}

template <typename T> T floatRound(Rounding rounding, T x) {
  const auto v = static_cast<FloatWork<T>>(x);
  if (v != v) return x;
  switch (rounding) {
  case Rounding::Down: return static_cast<T>(std::floor(v));
  case Rounding::Up: return static_cast<T>(std::ceil(v));
  case Rounding::TowardZero: return static_cast<T>(std::trunc(v));
  case Rounding::NearestEven: return static_cast<T>(std::nearbyint(v));
  case Rounding::NearestAway: return static_cast<T>(std::round(v));
  }
  return x;
}

/// For _Float16 rounded twice, to float first.
template <typename T> T floatFma(T x, T y, T z) {
  using W = FloatWork<T>;
  const T result =
      static_cast<T>(std::fma(static_cast<W>(x), static_cast<W>(y), static_cast<W>(z)));
  if (result == result) return result;
  constexpr FloatFormat f = kFormatOf<T>;
  if (f.isNaN(bitsOf(z))) return floatOf<T>(bitsOf(z) | f.quietBit());
  return floatOf<T>(resultNaN(f, bitsOf(x), bitsOf(y)));
}

template <typename To, typename From> To floatConvert(From x) {
  if (x == x) return static_cast<To>(x);
  constexpr FloatFormat from = kFormatOf<From>, to = kFormatOf<To>;
  const uint64_t bits = bitsOf(x), payload = bits & (from.quietBit() - 1);
  // Both fractions at the top of a word, whatever their sizes.
  const uint64_t moved = payload << (64 - from.fractionBits) >> (64 - to.fractionBits);
  return floatOf<To>((bits & from.signBit() ? to.signBit() : 0) | to.infinity() | to.quietBit() |
                     moved);
}

/// To an integer of `width` <= 64 bits: FToS, FToU.
template <typename T> uint64_t floatToInteger(T x, unsigned width, bool isSigned) {
  const auto v = std::trunc(static_cast<FloatWork<T>>(x));
  const auto limit = std::ldexp(FloatWork<T>(1), static_cast<int>(isSigned ? width - 1 : width));
  if (!(v >= (isSigned ? -limit : 0) && v < limit)) return uint64_t(1) << (width - 1);
  if (!isSigned) return static_cast<uint64_t>(v);
  return static_cast<uint64_t>(static_cast<int64_t>(v)) & ~uint64_t(0) >> (64 - width);
}

// --- on bit patterns
// ----------------------------------------------------------------------------------------------

/// An operation without its operands.
struct FloatOperation {
  Kind kind;
  Rounding rounding;     ///< FRound only.
  unsigned width;        ///< Of the result.
  unsigned operandWidth; ///< Of the first operand, and where there are more, of all.

  static FloatOperation of(ExprPtr e) {
    return {e->kind(), e->kind() == Kind::FRound ? e->rounding() : Rounding::NearestEven,
            e->width(), e->op(0)->width()};
  }
};

/// The value for these operands (zero-extended, as the result). Operands that the operation does
/// not have are ignored.
uint64_t foldFloat(const FloatOperation &operation, uint64_t a, uint64_t b = 0, uint64_t c = 0);

} // namespace fathom::expr
#endif
