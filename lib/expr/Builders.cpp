// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builders of inner nodes (those of floating-point operations: FloatBuilders.cpp). All follow
// one pattern: fold constants, bring the operands into canonical order, try the rules, and
// otherwise make the node.  // TOUR(3)
#include "expr/NodeTable.h"
#include "expr/Rules.h"

namespace fathom::expr {

ExprContext::ExprContext(const ExprOptions &options) : options_(options) {}

ExprPtr ExprContext::binary(Kind kind, ExprPtr a, ExprPtr b) {
  if (kind == Kind::Concat) return concat(a, b);
  if (isFloatBinary(kind))
    return floatTerm(
        {kind, Rounding::NearestEven, isFloatPredicate(kind) ? 1 : a->width(), a->width()}, a, b);
  assert(isBinary(kind) && "not a binary kind");
  assert(a->width() == b->width() && a->width() > 0 && "operands differ in width");
  const unsigned width = a->width(), resultWidth = isPredicate(kind) ? 1 : width;
  if (a->isConst() && b->isConst()) {
    if (width <= 64) return constant(foldBinary(kind, a->value(), b->value(), width), resultWidth);
    return constantOf(*this, foldBinaryWide(kind, toAPInt(a), toAPInt(b)));
  }
  if (options_.simplify) {
    if (isCommutative(kind) && !inOrder(a, b)) std::swap(a, b);
    // A node of this shape exists only because no rule matched when it was made, or because it was
    // made at the depth limit: rules must not rely on what others would have folded.
    if (ExprPtr known = nodes().find(kind, resultWidth, 0, a, b)) {
      ++stats_.hits;
      return known;
    }
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteBinary(kind, a, b)) return simpler;
    if (isCommutative(kind) && !inOrder(a, b)) std::swap(a, b);
  }
  return nodes().intern(kind, resultWidth, 0, a, b);
}

static bool isTriviallyFalse(Kind kind, ExprPtr a, ExprPtr b) {
  if (kind == Kind::Ult) return isZero(b) || isAllOnes(a);
  if (kind != Kind::Slt) return false;
  return (b->isConst() && toAPInt(b).isMinSignedValue()) ||
         (a->isConst() && toAPInt(a).isMaxSignedValue());
}

ExprPtr ExprContext::rewriteBinary(Kind kind, ExprPtr &a, ExprPtr &b) {
  if (a->width() == 1)
    if (ExprPtr r = rewriteOneBit(*this, kind, a, b)) return r;
  // Nothing is below the least value or above the greatest: before the arms, for an Ite may be so
  // high that a comparison of all its arms reaches the depth limit.
  if (isTriviallyFalse(kind, a, b)) return falseExpr();
  if (ExprPtr r = rewriteIteArms(*this, kind, a, b)) return r;
  switch (kind) {
  case Kind::And: return rewriteAnd(*this, a, b);
  case Kind::Or: return rewriteOr(*this, a, b);
  case Kind::Xor: return rewriteXor(*this, a, b);
  case Kind::Add: return rewriteAdd(*this, a, b);
  case Kind::Sub: return rewriteSub(*this, a, b);
  case Kind::Mul: return rewriteMul(*this, a, b);
  case Kind::UDiv:
  case Kind::SDiv:
  case Kind::URem:
  case Kind::SRem: return rewriteDivRem(*this, kind, a, b);
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr: return rewriteShift(*this, kind, a, b);
  case Kind::Eq: return rewriteEq(*this, a, b);
  case Kind::Ult: return rewriteUlt(*this, a, b);
  case Kind::Ule: return rewriteUle(*this, a, b);
  case Kind::Slt: return rewriteSlt(*this, a, b);
  case Kind::Sle: return rewriteSle(*this, a, b);
  default: return nullptr;
  }
}

ExprPtr ExprContext::bvAnd(ExprPtr a, ExprPtr b) { return binary(Kind::And, a, b); }
ExprPtr ExprContext::bvOr(ExprPtr a, ExprPtr b) { return binary(Kind::Or, a, b); }
ExprPtr ExprContext::bvXor(ExprPtr a, ExprPtr b) { return binary(Kind::Xor, a, b); }
ExprPtr ExprContext::add(ExprPtr a, ExprPtr b) { return binary(Kind::Add, a, b); }
ExprPtr ExprContext::sub(ExprPtr a, ExprPtr b) { return binary(Kind::Sub, a, b); }
ExprPtr ExprContext::mul(ExprPtr a, ExprPtr b) { return binary(Kind::Mul, a, b); }
ExprPtr ExprContext::udiv(ExprPtr a, ExprPtr b) { return binary(Kind::UDiv, a, b); }
ExprPtr ExprContext::sdiv(ExprPtr a, ExprPtr b) { return binary(Kind::SDiv, a, b); }
ExprPtr ExprContext::urem(ExprPtr a, ExprPtr b) { return binary(Kind::URem, a, b); }
ExprPtr ExprContext::srem(ExprPtr a, ExprPtr b) { return binary(Kind::SRem, a, b); }
ExprPtr ExprContext::shl(ExprPtr a, ExprPtr b) { return binary(Kind::Shl, a, b); }
ExprPtr ExprContext::lshr(ExprPtr a, ExprPtr b) { return binary(Kind::LShr, a, b); }
ExprPtr ExprContext::ashr(ExprPtr a, ExprPtr b) { return binary(Kind::AShr, a, b); }
ExprPtr ExprContext::eq(ExprPtr a, ExprPtr b) { return binary(Kind::Eq, a, b); }
ExprPtr ExprContext::ult(ExprPtr a, ExprPtr b) { return binary(Kind::Ult, a, b); }
ExprPtr ExprContext::ule(ExprPtr a, ExprPtr b) { return binary(Kind::Ule, a, b); }
ExprPtr ExprContext::slt(ExprPtr a, ExprPtr b) { return binary(Kind::Slt, a, b); }
ExprPtr ExprContext::sle(ExprPtr a, ExprPtr b) { return binary(Kind::Sle, a, b); }

ExprPtr ExprContext::neg(ExprPtr e) {
  if (e->width() <= 64) return binary(Kind::Sub, constant(0, e->width()), e);
  return binary(Kind::Sub, constantOf(*this, llvm::APInt::getZero(e->width())), e);
}

ExprPtr ExprContext::bvNot(ExprPtr e) {
  assert(e->width() > 0 && "arrays have no complement");
  if (e->isConst()) {
    if (e->width() <= 64) return constant(~e->value(), e->width());
    return constantOf(*this, ~toAPInt(e));
  }
  if (options_.simplify) {
    if (ExprPtr known = nodes().find(Kind::Not, e->width(), 0, e, nullptr)) {
      ++stats_.hits;
      return known;
    }
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteNot(*this, e)) return simpler;
  }
  return nodes().intern(Kind::Not, e->width(), 0, e);
}

ExprPtr ExprContext::concat(ExprPtr high, ExprPtr low) {
  const unsigned width = high->width() + low->width();
  assert(high->width() > 0 && low->width() > 0 && width <= kMaxWidthBits &&
         "concat of unfit operands");
  if (high->isConst() && low->isConst()) {
    if (width <= 64) return constant(high->value() << low->width() | low->value(), width);
    return constantOf(*this,
                      toAPInt(high).zext(width).shl(low->width()) | toAPInt(low).zext(width));
  }
  if (options_.simplify) {
    if (ExprPtr known = nodes().find(Kind::Concat, width, 0, high, low)) {
      ++stats_.hits;
      return known;
    }
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteConcat(*this, high, low)) return simpler;
  }
  return nodes().intern(Kind::Concat, width, 0, high, low);
}

ExprPtr ExprContext::extract(ExprPtr e, unsigned lowBit, unsigned width) {
  assert(width >= 1 && lowBit + width <= e->width() && "extract outside of the operand");
  if (width == e->width()) return e;
  if (e->isConst()) {
    if (e->width() <= 64) return constant(e->value() >> lowBit, width);
    return constantOf(*this, toAPInt(e).extractBits(width, lowBit));
  }
  if (options_.simplify) {
    if (ExprPtr known = nodes().find(Kind::Extract, width, lowBit, e, nullptr)) {
      ++stats_.hits;
      return known;
    }
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteExtract(*this, e, lowBit, width)) return simpler;
  }
  return nodes().intern(Kind::Extract, width, lowBit, e);
}

ExprPtr ExprContext::zext(ExprPtr e, unsigned width) {
  assert(width >= e->width() && e->width() > 0 && width <= kMaxWidthBits && "zext narrows");
  if (width == e->width()) return e;
  if (e->isConst()) {
    if (width <= 64) return constant(e->value(), width);
    return constantOf(*this, toAPInt(e).zext(width));
  }
  if (options_.simplify) {
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteZExt(*this, e, width)) return simpler;
  }
  return nodes().intern(Kind::ZExt, width, 0, e);
}

ExprPtr ExprContext::sext(ExprPtr e, unsigned width) {
  assert(width >= e->width() && e->width() > 0 && width <= kMaxWidthBits && "sext narrows");
  if (width == e->width()) return e;
  if (e->isConst()) {
    if (width <= 64)
      return constant(static_cast<uint64_t>(signedValue(e->value(), e->width())), width);
    return constantOf(*this, toAPInt(e).sext(width));
  }
  if (options_.simplify) {
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteSExt(*this, e, width)) return simpler;
  }
  return nodes().intern(Kind::SExt, width, 0, e);
}

ExprPtr ExprContext::ite(ExprPtr cond, ExprPtr thenE, ExprPtr elseE) {
  assert(cond->width() == 1 && thenE->width() == elseE->width() && thenE->width() > 0 &&
         "unfit operands of ite");
  if (cond->isConst()) return cond->value() ? thenE : elseE;
  if (thenE == elseE) return thenE;
  if (options_.simplify) {
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteIte(*this, cond, thenE, elseE)) return simpler;
  }
  return nodes().intern(Kind::Ite, thenE->width(), 0, cond, thenE, elseE);
}

ExprPtr ExprContext::read(ExprPtr array, uint64_t index) {
  return read(array, constant(index, 64));
}

ExprPtr readWord(ExprContext &context, ExprPtr array, ExprPtr index, unsigned bytes) {
  ExprPtr value = context.read(array, index);
  for (unsigned i = 1; i < bytes; ++i)
    value = context.concat(context.read(array, context.add(index, context.constant(i, 64))), value);
  return value;
}

ExprPtr ExprContext::read(ExprPtr array, ExprPtr index) {
  assert(array->isArray() && index->width() == 64 && "unfit operands of read");
  // Reading past the end gives 0 everywhere: here, in the evaluator and in what the solver is told.
  if (index->isConst() && array->kind() != Kind::Store) {
    const ArrayInfo &info = array->array();
    if (index->value() >= info.sizeBytes) return constant(0, 8);
    if (array->kind() == Kind::ConstArray) return constant(info.contents[index->value()], 8);
  }
  if (options_.simplify && (array->kind() == Kind::Store || !index->isConst())) {
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteRead(*this, array, index)) return simpler;
  }
  return nodes().intern(Kind::Read, 8, 0, array, index);
}

ExprPtr ExprContext::store(ExprPtr array, ExprPtr index, ExprPtr byte) {
  assert(array->isArray() && index->width() == 64 && byte->width() == 8 &&
         "unfit operands of store");
  if (options_.simplify) {
    // store(store(a, i, x), i, y) -> store(a, i, y)
    while (array->kind() == Kind::Store && array->op(1) == index) array = array->op(0);
  }
  return nodes().internStore(array, index, byte);
}

} // namespace fathom::expr
