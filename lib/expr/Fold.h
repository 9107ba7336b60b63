// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of every bit-vector operation on constants, in one place: the builders fold with it
// and the Evaluator computes with it, so the two cannot disagree. (BatchKernels.cpp says the same
// in loops over many values, and a test compares them.) Words of up to 64 bits are plain uint64_t,
// kept zero-extended; wider ones are llvm::APInt.
#ifndef FATHOM_EXPR_FOLD_H
#define FATHOM_EXPR_FOLD_H

#include "expr/Expr.h"

#include <llvm/ADT/APInt.h>

namespace fathom::expr {

/// The lowest `width` bits set; width in [1, 64].
constexpr uint64_t lowMask(unsigned width) { return ~uint64_t(0) >> (64 - width); }

/// Bits below `width` of v, read as two's complement.
constexpr int64_t signedValue(uint64_t v, unsigned width) {
  return static_cast<int64_t>(v << (64 - width)) >> (64 - width);
}

constexpr bool isPredicate(Kind k) { return k >= Kind::Eq && k <= Kind::Sle; }
constexpr bool isCommutative(Kind k) {
  return k == Kind::And || k == Kind::Or || k == Kind::Xor || k == Kind::Add || k == Kind::Mul ||
         k == Kind::Eq;
}
/// Two operands of equal width: And ... AShr and the predicates (not Concat).
constexpr bool isBinary(Kind k) { return k >= Kind::And && k <= Kind::Sle; }

/// a op b for operands of `width` <= 64 bits; the result is zero-extended (0 or 1 for predicates).
inline uint64_t foldBinary(Kind kind, uint64_t a, uint64_t b, unsigned width) {
  const uint64_t mask = lowMask(width);
  switch (kind) {
  case Kind::And: return a & b;
  case Kind::Or: return a | b;
  case Kind::Xor: return a ^ b;
  case Kind::Add: return (a + b) & mask;
  case Kind::Sub: return (a - b) & mask;
  case Kind::Mul: return (a * b) & mask;
  case Kind::UDiv: return b ? a / b : mask;
  case Kind::URem: return b ? a % b : a;
  case Kind::SDiv: {
    int64_t x = signedValue(a, width), y = signedValue(b, width);
    if (y == 0) return x < 0 ? 1 : mask;
    if (y == -1) return (0 - a) & mask; // INT64_MIN / -1 traps on the host
    return static_cast<uint64_t>(x / y) & mask;
  }
  case Kind::SRem: {
    int64_t x = signedValue(a, width), y = signedValue(b, width);
    if (y == 0) return a;
    if (y == -1) return 0;
    return static_cast<uint64_t>(x % y) & mask;
  }
  case Kind::Shl: return b >= width ? 0 : (a << b) & mask;
  case Kind::LShr: return b >= width ? 0 : a >> b;
  case Kind::AShr: {
    int64_t x = signedValue(a, width);
    return static_cast<uint64_t>(b >= width ? (x < 0 ? -1 : 0) : x >> b) & mask;
  }
  case Kind::Eq: return a == b;
  case Kind::Ult: return a < b;
  case Kind::Ule: return a <= b;
  case Kind::Slt: return signedValue(a, width) < signedValue(b, width);
  case Kind::Sle: return signedValue(a, width) <= signedValue(b, width);
  default: break;
  }
  return 0;
}

/// The same for any width.
llvm::APInt foldBinaryWide(Kind kind, const llvm::APInt &a, const llvm::APInt &b);

/// A Const as APInt.
llvm::APInt toAPInt(ExprPtr constant);

} // namespace fathom::expr
#endif
