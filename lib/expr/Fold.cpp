// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Fold.h"

#include <llvm/ADT/ArrayRef.h>

#include <cassert>

namespace fathom::expr {

using llvm::APInt;

llvm::APInt toAPInt(ExprPtr c) {
  assert(c->isConst() && "only constants have a value");
  if (c->width() <= 64) return APInt(c->width(), c->value());
  unsigned words = (c->width() + 63) / 64;
  uint64_t buffer[kMaxWidthBits / 64];
  for (unsigned i = 0; i < words; ++i) buffer[i] = c->word(i);
  return APInt(c->width(), llvm::ArrayRef(buffer, words));
}

llvm::APInt foldBinaryWide(Kind kind, const APInt &a, const APInt &b) {
  const unsigned width = a.getBitWidth();
  auto boolean = [](bool v) { return APInt(1, v); };
  switch (kind) {
  case Kind::And: return a & b;
  case Kind::Or: return a | b;
  case Kind::Xor: return a ^ b;
  case Kind::Add: return a + b;
  case Kind::Sub: return a - b;
  case Kind::Mul: return a * b;
  case Kind::UDiv: return b.isZero() ? APInt::getAllOnes(width) : a.udiv(b);
  case Kind::URem: return b.isZero() ? a : a.urem(b);
  case Kind::SDiv:
    if (b.isZero()) return a.isNegative() ? APInt(width, 1) : APInt::getAllOnes(width);
    return a.sdiv(b);
  case Kind::SRem: return b.isZero() ? a : a.srem(b);
  case Kind::Shl: return b.uge(width) ? APInt::getZero(width) : a.shl(b);
  case Kind::LShr: return b.uge(width) ? APInt::getZero(width) : a.lshr(b);
  case Kind::AShr: return a.ashr(b.uge(width) ? width - 1 : unsigned(b.getZExtValue()));
  case Kind::Eq: return boolean(a == b);
  case Kind::Ult: return boolean(a.ult(b));
  case Kind::Ule: return boolean(a.ule(b));
  case Kind::Slt: return boolean(a.slt(b));
  case Kind::Sle: return boolean(a.sle(b));
  default: break;
  }
  assert(false && "not a binary operation");
  return APInt(1, 0);
}

} // namespace fathom::expr
