// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// go() is the dispatch over kinds of terms, and each kind has a function that chooses an operand
// and the value that it has to get (Inversion.h).
#include "solver/Inversion.h"

#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <llvm/ADT/ArrayRef.h>

#include <algorithm>
#include <array>

namespace fathom::solver {

using expr::Kind;
using llvm::APInt;

/// Deeper terms are left alone.
static constexpr unsigned kMaxDepth = 300;
/// Tables whose indices come from tables have a way down for each pair of entries, and so on: what
/// takes more steps than this is given up.
static constexpr unsigned kMaxSteps = 2000;

bool Inversion::make(ExprPtr e, const APInt &target, uint8_t *row) {
  row_ = row;
  steps_ = 0;
  return go(e, target, 0);
}

APInt Inversion::current(ExprPtr e) {
  std::array<uint64_t, expr::kMaxWidthBits / 64> words;
  evaluator_.evalWide(e, words);
  return APInt(e->width(), llvm::ArrayRef<uint64_t>(words.data(), (e->width() + 63) / 64));
}

APInt Inversion::randomBits(unsigned width) {
  std::array<uint64_t, expr::kMaxWidthBits / 64> words;
  for (uint64_t &w : words) w = uint64_t(rng_.next()) << 32 | rng_.next();
  return APInt(width, llvm::ArrayRef<uint64_t>(words.data(), (width + 63) / 64));
}

unsigned Inversion::side(ExprPtr e) {
  if (!movable(e->op(0))) return 1;
  if (!movable(e->op(1))) return 0;
  return rng_.below(2);
}

bool Inversion::put(ExprPtr symbol, uint64_t index, uint64_t value) {
  const uint32_t offset = layout_.find(symbol, index);
  if (offset == expr::RowLayout::kNone) return value == 0;
  row_[offset] = static_cast<uint8_t>(value);
  return true;
}

bool Inversion::go(ExprPtr e, const APInt &t, unsigned depth) {
  if (!movable(e)) return current(e) == t;
  if (++depth > kMaxDepth || ++steps_ > kMaxSteps) return false;
  const unsigned width = e->width();
  switch (e->kind()) {
  case Kind::Read: return read(e, t.getZExtValue(), depth);
  case Kind::Concat: {
    const unsigned low = e->op(1)->width();
    return go(e->op(1), t.trunc(low), depth) && go(e->op(0), t.lshr(low).trunc(width - low), depth);
  }
  case Kind::Extract: {
    APInt whole = current(e->op(0));
    whole.insertBits(t, e->offset());
    return go(e->op(0), whole, depth);
  }
  case Kind::ZExt:
  case Kind::SExt: {
    const unsigned from = e->op(0)->width();
    const APInt low = t.trunc(from);
    if ((e->kind() == Kind::ZExt ? low.zext(width) : low.sext(width)) != t) return false;
    return go(e->op(0), low, depth);
  }
  case Kind::Not: return go(e->op(0), ~t, depth);
  case Kind::Ite: {
    const bool now = evaluator_.isTrue(e->op(0));
    const bool arm = rng_.below(3) == 0 ? !now : now;
    if (!go(e->op(arm ? 1 : 2), t, depth)) return false;
    return arm == now || boolean(e->op(0), arm, depth);
  }
  default: break;
  }
  if (expr::isFloatKind(e->kind())) return floating(e, t, depth);
  if (width == 1) return boolean(e, t.isOne(), depth);
  return binary(e, t, depth);
}

/// Where the value comes from now, or, of a table, a place where the value is.
bool Inversion::read(ExprPtr e, uint64_t t, unsigned depth) {
  ExprPtr array = e->op(0), index = e->op(1);
  const uint64_t at = evaluator_.eval(index);
  for (; array->kind() == Kind::Store; array = array->op(0))
    if (evaluator_.eval(array->op(1)) == at) return go(array->op(2), APInt(8, t), depth);
  const expr::ArrayInfo &info = array->array();
  if (array->kind() == Kind::SymbolArray && (index->isConst() || rng_.flip()))
    return put(array, at, t);
  if (!movable(index)) return current(e) == t;
  // Some index under which the array has this value.
  const bool isTable = array->kind() == Kind::ConstArray;
  const uint64_t size = isTable ? info.contents.size() : info.sizeBytes;
  if (size == 0 || size > 1 << 16) return false;
  const uint64_t start = rng_.below(static_cast<uint32_t>(size));
  for (uint64_t n = 0; n < size; ++n) {
    const uint64_t i = (start + n) % size;
    const uint32_t offset = isTable ? 0 : layout_.find(array, i);
    const uint64_t there = isTable                            ? info.contents[i]
                           : offset == expr::RowLayout::kNone ? 0
                                                              : row_[offset];
    if (steps_ > kMaxSteps) return false;
    if (there == t && go(index, APInt(index->width(), i), depth)) return true;
  }
  return false;
}

bool Inversion::boolean(ExprPtr e, bool t, unsigned depth) {
  if (!movable(e)) return evaluator_.isTrue(e) == t;
  if (++depth > kMaxDepth) return false;
  switch (e->kind()) {
  case Kind::Not: return boolean(e->op(0), !t, depth);
  case Kind::And:
  case Kind::Or: {
    const bool all = (e->kind() == Kind::And) == t;
    if (!all) return boolean(e->op(side(e)), t, depth);
    for (unsigned i : {0u, 1u})
      if (evaluator_.isTrue(e->op(i)) != t && !boolean(e->op(i), t, depth)) return false;
    return true;
  }
  case Kind::Add:
  case Kind::Sub:
  case Kind::Xor: {
    const unsigned i = side(e);
    return boolean(e->op(i), evaluator_.isTrue(e->op(1 - i)) != t, depth);
  }
  case Kind::Eq:
  case Kind::Ult:
  case Kind::Ule:
  case Kind::Slt:
  case Kind::Sle: return compare(e, t, depth);
  case Kind::Read:
  case Kind::Concat:
  case Kind::Extract:
  case Kind::Ite: return go(e, APInt(1, t), depth);
  default:
    return expr::isFloatKind(e->kind()) ? floating(e, APInt(1, t), depth)
                                        : binary(e, APInt(1, t), depth);
  }
}

/// One operand keeps its value v; the other becomes v, or something below or above it: the nearest
/// value, the farthest, or any.
bool Inversion::compare(ExprPtr e, bool t, unsigned depth) {
  const unsigned i = side(e);
  ExprPtr moved = e->op(i);
  const unsigned width = moved->width();
  const APInt v = current(e->op(1 - i));
  if (e->kind() == Kind::Eq) {
    if (t) return go(moved, v, depth);
    APInt other = rng_.flip() ? v + 1 : randomBits(width);
    return other != v && go(moved, other, depth);
  }
  const bool isSigned = e->kind() == Kind::Slt || e->kind() == Kind::Sle;
  const bool strict = (e->kind() == Kind::Ult || e->kind() == Kind::Slt) == t;
  const bool below = (i == 0) == t; // moved < v (or <=), otherwise moved > v
  const APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  const APInt most = isSigned ? APInt::getSignedMaxValue(width) : APInt::getAllOnes(width);
  if (strict && v == (below ? least : most)) return false;
  const APInt nearest = strict ? (below ? v - 1 : v + 1) : v;
  APInt chosen = nearest;
  switch (rng_.below(4)) {
  case 0: chosen = below ? least : most; break;
  case 1: { // anything in between
    const APInt low = below ? least : nearest, high = below ? nearest : most;
    const APInt range = high - low + 1;
    chosen = range.isZero() ? randomBits(width) : low + randomBits(width).urem(range);
    break;
  }
  default: break;
  }
  return go(moved, chosen, depth);
}

bool Inversion::binary(ExprPtr e, const APInt &t, unsigned depth) {
  const unsigned width = e->width();
  const unsigned i = side(e);
  ExprPtr moved = e->op(i), kept = e->op(1 - i);
  const APInt v = current(kept), now = current(moved);
  switch (e->kind()) {
  case Kind::And:
    if (!(t & ~v).isZero()) { // bits that the other one does not have: it has to change too
      if (!movable(kept) || !go(kept, v | t, depth)) return false;
      return go(moved, t | (now & ~(v | t)), depth);
    }
    return go(moved, t | (now & ~v), depth);
  case Kind::Or:
    if (!(v & ~t).isZero()) {
      if (!movable(kept) || !go(kept, v & t, depth)) return false;
      return go(moved, t, depth);
    }
    return go(moved, (t & ~v) | (now & v & t), depth);
  case Kind::Xor: return go(moved, t ^ v, depth);
  case Kind::Add: return go(moved, t - v, depth);
  case Kind::Sub: return go(moved, i == 0 ? t + v : v - t, depth);
  case Kind::Mul: {
    if (v.isZero()) return t.isZero();
    // The quotient, which is right but for the remainder; or what is right modulo 2^width.
    if (rng_.flip()) return go(moved, t.udiv(v), depth);
    const unsigned zeros = v.countr_zero();
    if (t.countr_zero() < zeros) return false;
    APInt x = t.lshr(zeros) * v.lshr(zeros).multiplicativeInverse();
    if (zeros) { // the upper bits of the factor do not matter
      x = x & APInt::getLowBitsSet(width, width - zeros);
      if (rng_.flip()) x |= randomBits(width) & APInt::getHighBitsSet(width, zeros);
    }
    return go(moved, x, depth);
  }
  case Kind::UDiv:
  case Kind::SDiv: {
    if (i == 1) { // dividend / x == t
      if (t.isZero()) return go(moved, rng_.flip() ? APInt::getAllOnes(width) : v + 1, depth);
      return go(moved, e->kind() == Kind::UDiv ? v.udiv(t) : v.sdiv(t), depth);
    }
    if (v.isZero()) return false;
    const APInt product = t * v;
    if (rng_.flip()) return go(moved, product, depth);
    return go(moved, product + randomBits(width).urem(v), depth);
  }
  case Kind::URem:
  case Kind::SRem:
    if (i == 1) return go(moved, v - t, depth);
    if (v.isZero()) return go(moved, t, depth);
    if (e->kind() == Kind::URem) {
      if (t.uge(v)) return false;
      return go(moved, rng_.below(4) ? now - now.urem(v) + t : t, depth);
    }
    return go(moved, rng_.below(4) ? now - now.srem(v) + t : t, depth);
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr: {
    if (i == 1) return go(moved, APInt(width, rng_.below(width)), depth); // a guess
    if (v.uge(width)) return false;
    const unsigned by = static_cast<unsigned>(v.getZExtValue());
    if (e->kind() == Kind::Shl) {
      if (t.countr_zero() < by) return false;
      return go(moved, t.lshr(by) | (now & APInt::getHighBitsSet(width, by)), depth);
    }
    return go(moved, t.shl(by) | (now & APInt::getLowBitsSet(width, by)), depth);
  }
  default: return false;
  }
}

/// The inverse in floating-point arithmetic, which is a unit in the last place off now and then;
/// the search does the rest.
bool Inversion::floating(ExprPtr e, const APInt &t, unsigned depth) {
  using expr::foldFloat;
  const auto o = expr::FloatOperation::of(e);
  const auto nearest = expr::Rounding::NearestEven;
  const uint64_t target = t.getZExtValue();
  auto fold = [&](Kind kind, uint64_t a, uint64_t b) {
    return foldFloat({kind, nearest, o.width, o.width}, a, b);
  };
  auto move = [&](unsigned i, uint64_t v) {
    return go(e->op(i), APInt(e->op(i)->width(), v), depth);
  };
  const unsigned i = e->numOps() == 2 ? side(e) : 0;
  const uint64_t v = e->numOps() == 2 ? evaluator_.eval(e->op(1 - i)) : 0;
  switch (o.kind) {
  case Kind::FAdd: return move(i, fold(Kind::FSub, target, v));
  case Kind::FSub:
    return move(i, i == 0 ? fold(Kind::FAdd, target, v) : fold(Kind::FSub, v, target));
  case Kind::FMul: return move(i, fold(Kind::FDiv, target, v));
  case Kind::FDiv:
    return move(i, i == 0 ? fold(Kind::FMul, target, v) : fold(Kind::FDiv, v, target));
  case Kind::FSqrt: return move(0, fold(Kind::FMul, target, target));
  case Kind::FRound: return move(0, target);
  case Kind::FConvert:
    return move(0, foldFloat({o.kind, nearest, o.operandWidth, o.width}, target));
  case Kind::SToF:
  case Kind::UToF:
    return move(0, foldFloat({o.kind == Kind::SToF ? Kind::FToS : Kind::FToU, nearest,
                              o.operandWidth, o.width},
                             target));
  case Kind::FToS:
  case Kind::FToU:
    return move(0, foldFloat({o.kind == Kind::FToS ? Kind::SToF : Kind::UToF, nearest,
                              o.operandWidth, o.width},
                             target));
  case Kind::FFma: { // x * y + z: z
    const uint64_t product = fold(Kind::FMul, evaluator_.eval(e->op(0)), evaluator_.eval(e->op(1)));
    return move(2, fold(Kind::FSub, target, product));
  }
  case Kind::FEq:
  case Kind::FLt:
  case Kind::FLe: break;
  default: return false;
  }
  // A comparison: next to the other operand, in the order of all numbers, or far from it.
  const expr::FloatFormat format = expr::floatFormat(o.operandWidth);
  if (o.kind == Kind::FEq) return move(i, target ? v : v ^ 1);
  const bool below = (i == 0) == (target == 1);
  if (o.kind == Kind::FLe && target && rng_.flip()) return move(i, v);
  const bool isNegative = v & format.signBit();
  uint64_t chosen;
  if (rng_.below(3)) {
    if (!(v & format.magnitude()))
      chosen = below ? format.signBit() | 1 : 1;
    else
      chosen = below == isNegative ? v + 1 : v - 1;
  } else {
    const uint64_t one = format.one();
    chosen = foldFloat({below ? Kind::FSub : Kind::FAdd, nearest, o.operandWidth, o.operandWidth},
                       v, rng_.flip() ? one : v & format.magnitude());
  }
  return move(i, chosen);
}

} // namespace fathom::solver
