// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of Z3Encoder: floating-point operations in Z3's theory.
//
// Our terms are bit patterns and Z3's are numbers, with one NaN. An operation becomes two Z3 terms:
// its value as a number, which operations above it take, and its bits, if the query uses them:
// those of the number, or of the NaN that expr/FloatFold.h prescribes. So what the solver says
// holds bit for bit, and the choice between NaNs is in the query only where it matters.
//
// Comparisons of mere bit patterns need no theory: they are encoded as operations on bits, so that
// queries without arithmetic stay pure QF_BV.
#include "solver/Z3Encoder.h"

#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <cassert>

namespace fathom::solver {

using expr::FloatFormat;
using expr::Kind;
using expr::Rounding;

/// So many choices above each other are between numbers; what is above these is between patterns.
static constexpr unsigned kMaxChoices = 64;

Z3_sort Z3Encoder::floatSort(unsigned width) {
  const FloatFormat f = expr::floatFormat(width);
  return Z3_mk_fpa_sort(z3_, f.exponentBits, f.precision());
}

Z3_ast Z3Encoder::roundingMode(Rounding rounding) {
  switch (rounding) {
  case Rounding::Down: return keep(Z3_mk_fpa_rtn(z3_));
  case Rounding::Up: return keep(Z3_mk_fpa_rtp(z3_));
  case Rounding::TowardZero: return keep(Z3_mk_fpa_rtz(z3_));
  case Rounding::NearestAway: return keep(Z3_mk_fpa_rna(z3_));
  case Rounding::NearestEven: break;
  }
  return keep(Z3_mk_fpa_rne(z3_));
}

Z3_ast Z3Encoder::floatConstant(uint64_t bits, unsigned width) {
  return keep(Z3_mk_fpa_to_fp_bv(z3_, number(bits, width), floatSort(width)));
}

// --- as numbers
// --------------------------------------------------------------------------------------------

/// x, where e is x with another sign bit; else null. The builders make this of a negation.
static ExprPtr negated(ExprPtr e) {
  const unsigned top = e->width() - 1;
  if (e->kind() == Kind::Xor && e->op(1)->isConst(uint64_t(1) << top)) return e->op(0);
  if (e->kind() != Kind::Concat || e->op(0)->kind() != Kind::Not) return nullptr;
  ExprPtr sign = e->op(0)->op(0), rest = e->op(1);
  const bool slices = sign->kind() == Kind::Extract && rest->kind() == Kind::Extract;
  if (!slices || sign->op(0) != rest->op(0) || sign->op(0)->width() != e->width()) return nullptr;
  return sign->width() == 1 && sign->offset() == top && rest->offset() == 0 ? sign->op(0) : nullptr;
}

/// x, where e is x without its sign bit; else null.
static ExprPtr withoutSign(ExprPtr e) {
  if (e->kind() == Kind::And && e->op(1)->isConst(expr::lowMask(e->width() - 1))) return e->op(0);
  ExprPtr rest = e->kind() == Kind::ZExt ? e->op(0) : nullptr;
  if (!rest || rest->kind() != Kind::Extract || rest->width() + 1 != e->width()) return nullptr;
  return rest->offset() == 0 && rest->op(0)->width() == e->width() ? rest->op(0) : nullptr;
}

/// The number whose bit pattern a term is that is translated already.
Z3_ast Z3Encoder::asFloat(ExprPtr e, unsigned depth) {
  if (e->isConst()) return floatConstant(e->value(), e->width());
  if (auto it = floats_.find(e); it != floats_.end()) return it->second;
  Z3_ast made = nullptr;
  if (e->has(expr::kHasFloat) && depth < kMaxChoices) {
    if (ExprPtr x = negated(e))
      made = Z3_mk_fpa_neg(z3_, asFloat(x, depth + 1));
    else if (ExprPtr y = withoutSign(e))
      made = Z3_mk_fpa_abs(z3_, asFloat(y, depth + 1));
    else if (e->kind() == Kind::Ite)
      made = Z3_mk_ite(z3_, get(e->op(0), true), asFloat(e->op(1), depth + 1),
                       asFloat(e->op(2), depth + 1));
  }
  if (!made) made = Z3_mk_fpa_to_fp_bv(z3_, get(e, false), floatSort(e->width()));
  return floats_[e] = keep(made);
}

/// The result of an operation that has a number as its result.
Z3_ast Z3Encoder::floatResult(ExprPtr e) {
  const Z3_ast nearest = roundingMode(Rounding::NearestEven);
  if (e->kind() == Kind::SToF)
    return Z3_mk_fpa_to_fp_signed(z3_, nearest, get(e->op(0), false), floatSort(e->width()));
  if (e->kind() == Kind::UToF)
    return Z3_mk_fpa_to_fp_unsigned(z3_, nearest, get(e->op(0), false), floatSort(e->width()));
  Z3_ast x[3] = {};
  for (unsigned i = 0; i < e->numOps(); ++i) x[i] = asFloat(e->op(i));
  switch (e->kind()) {
  case Kind::FAdd: return Z3_mk_fpa_add(z3_, nearest, x[0], x[1]);
  case Kind::FSub: return Z3_mk_fpa_sub(z3_, nearest, x[0], x[1]);
  case Kind::FMul: return Z3_mk_fpa_mul(z3_, nearest, x[0], x[1]);
  case Kind::FDiv: return Z3_mk_fpa_div(z3_, nearest, x[0], x[1]);
  case Kind::FSqrt: return Z3_mk_fpa_sqrt(z3_, nearest, x[0]);
  case Kind::FFma: return Z3_mk_fpa_fma(z3_, nearest, x[0], x[1], x[2]);
  case Kind::FConvert: return Z3_mk_fpa_to_fp_float(z3_, nearest, x[0], floatSort(e->width()));
  case Kind::FRound: return Z3_mk_fpa_round_to_integral(z3_, roundingMode(e->rounding()), x[0]);
  default: assert(false && "the result is no number"); return nullptr;
  }
}

// --- NaNs
// --------------------------------------------------------------------------------------------

Z3_ast Z3Encoder::isNaN(ExprPtr e) { return keep(Z3_mk_fpa_is_nan(z3_, asFloat(e))); }

Z3_ast Z3Encoder::quiet(ExprPtr e) {
  const uint64_t bit = expr::floatFormat(e->width()).quietBit();
  return keep(Z3_mk_bvor(z3_, get(e, false), number(bit, e->width())));
}

/// A NaN of another width: sign and upper payload bits.
Z3_ast Z3Encoder::convertedNaN(ExprPtr from, unsigned width) {
  const FloatFormat f = expr::floatFormat(from->width()), t = expr::floatFormat(width);
  Z3_ast bits = get(from, false);
  Z3_ast sign = keep(Z3_mk_extract(z3_, f.width - 1, f.width - 1, bits));
  Z3_ast payload;
  if (t.fractionBits >= f.fractionBits)
    payload = keep(Z3_mk_concat(z3_, keep(Z3_mk_extract(z3_, f.fractionBits - 1, 0, bits)),
                                number(0, t.fractionBits - f.fractionBits)));
  else
    payload = keep(Z3_mk_extract(z3_, f.fractionBits - 1, f.fractionBits - t.fractionBits, bits));
  Z3_ast low =
      keep(Z3_mk_concat(z3_, number(expr::lowMask(t.exponentBits), t.exponentBits), payload));
  Z3_ast whole = keep(Z3_mk_concat(z3_, sign, low));
  return keep(Z3_mk_bvor(z3_, whole, number(t.quietBit(), width)));
}

/// The bits of e, whose value as a number is `value`.
Z3_ast Z3Encoder::floatBits(ExprPtr e, Z3_ast value) {
  const unsigned width = e->width();
  Z3_ast bits = keep(Z3_mk_fpa_to_ieee_bv(z3_, value));
  auto choose = [&](Z3_ast condition, Z3_ast then) {
    bits = keep(Z3_mk_ite(z3_, condition, then, bits));
  };
  switch (e->kind()) { // the last choice is the first that counts
  case Kind::SToF:
  case Kind::UToF: return bits;
  case Kind::FRound: choose(isNaN(e->op(0)), get(e->op(0), false)); return bits;
  case Kind::FConvert: choose(isNaN(e->op(0)), convertedNaN(e->op(0), width)); return bits;
  default: break;
  }
  Z3_ast defaultNaN = number(expr::floatFormat(width).defaultNaN(), width);
  choose(keep(Z3_mk_fpa_is_nan(z3_, value)), defaultNaN);
  const unsigned factors = e->kind() == Kind::FFma ? 2 : e->numOps();
  for (unsigned i = factors; i-- > 0;) choose(isNaN(e->op(i)), quiet(e->op(i)));
  if (e->kind() == Kind::FFma) choose(isNaN(e->op(2)), quiet(e->op(2)));
  return bits;
}

// --- predicates and conversions to integers
// --------------------------------------------------------------------------------------------

/// A comparison of two patterns by their bits.
Z3_ast Z3Encoder::compareBits(ExprPtr e) {
  const unsigned width = e->op(0)->width();
  const FloatFormat f = expr::floatFormat(width);
  Z3_ast a = get(e->op(0), false), b = get(e->op(1), false);
  auto both = [&](Z3_ast x, Z3_ast y) {
    Z3_ast all[] = {x, y};
    return keep(Z3_mk_and(z3_, 2, all));
  };
  auto magnitude = [&](Z3_ast x) {
    return keep(Z3_mk_bvand(z3_, x, number(f.magnitude(), width)));
  };
  auto isNumber = [&](Z3_ast x) {
    return keep(Z3_mk_bvule(z3_, magnitude(x), number(f.infinity(), width)));
  };
  auto isNegative = [&](Z3_ast x) {
    return keep(Z3_mk_eq(z3_, keep(Z3_mk_extract(z3_, width - 1, width - 1, x)), number(1, 1)));
  };
  Z3_ast numbers = both(isNumber(a), isNumber(b));
  Z3_ast zeros = keep(Z3_mk_eq(z3_, magnitude(keep(Z3_mk_bvor(z3_, a, b))), number(0, width)));
  if (e->kind() == Kind::FEq) {
    Z3_ast either[] = {keep(Z3_mk_eq(z3_, a, b)), zeros};
    return both(numbers, keep(Z3_mk_or(z3_, 2, either)));
  }
  const bool strict = e->kind() == Kind::FLt;
  auto inOrder = [&](Z3_ast x, Z3_ast y) {
    return keep(strict ? Z3_mk_bvult(z3_, x, y) : Z3_mk_bvule(z3_, x, y));
  };
  // Patterns are ordered as magnitudes: negative numbers the other way round.
  Z3_ast ofNegative = keep(Z3_mk_ite(z3_, isNegative(b), inOrder(b, a), keep(Z3_mk_true(z3_))));
  Z3_ast ofPositive = keep(Z3_mk_ite(z3_, isNegative(b), keep(Z3_mk_false(z3_)), inOrder(a, b)));
  Z3_ast ordered = keep(Z3_mk_ite(z3_, isNegative(a), ofNegative, ofPositive));
  if (strict) return both(numbers, both(keep(Z3_mk_not(z3_, zeros)), ordered));
  Z3_ast either[] = {zeros, ordered};
  return both(numbers, keep(Z3_mk_or(z3_, 2, either)));
}

/// The pattern of 2^exponent, or of infinity.
static uint64_t powerOfTwo(const FloatFormat &f, unsigned exponent) {
  const unsigned bias = (1u << (f.exponentBits - 1)) - 1;
  return exponent > bias ? f.infinity() : uint64_t(exponent + bias) << f.fractionBits;
}

/// The truncated number fits the integer.
Z3_ast Z3Encoder::fits(ExprPtr number, unsigned width, bool isSigned) {
  const unsigned from = number->width();
  const FloatFormat f = expr::floatFormat(from);
  Z3_ast x = asFloat(number);
  const unsigned top = isSigned ? width - 1 : width;
  Z3_ast above;
  if (!isSigned) {
    above = Z3_mk_fpa_gt(z3_, x, floatConstant(f.signBit() | f.one(), from));
  } else if (top < f.precision()) { // -2^top - 1 is a number of this format
    const uint64_t limit =
        expr::foldFloat({Kind::UToF, Rounding::NearestEven, from, 64}, (uint64_t(1) << top) + 1);
    above = Z3_mk_fpa_gt(z3_, x, floatConstant(f.signBit() | limit, from));
  } else {
    const uint64_t limit = powerOfTwo(f, top);
    Z3_ast least = floatConstant(f.signBit() | limit, from);
    above = limit == f.infinity() ? Z3_mk_fpa_gt(z3_, x, least) : Z3_mk_fpa_geq(z3_, x, least);
  }
  Z3_ast both[] = {keep(above),
                   keep(Z3_mk_fpa_lt(z3_, x, floatConstant(powerOfTwo(f, top), from)))};
  return keep(Z3_mk_and(z3_, 2, both));
}

Z3_ast Z3Encoder::translateFloat(ExprPtr e) {
  switch (e->kind()) {
  case Kind::FEq:
  case Kind::FLt:
  case Kind::FLe: {
    if (!e->has(expr::kHasFloat)) return compareBits(e);
    Z3_ast a = asFloat(e->op(0)), b = asFloat(e->op(1));
    return keep(e->kind() == Kind::FEq   ? Z3_mk_fpa_eq(z3_, a, b)
                : e->kind() == Kind::FLt ? Z3_mk_fpa_lt(z3_, a, b)
                                         : Z3_mk_fpa_leq(z3_, a, b));
  }
  case Kind::FToS:
  case Kind::FToU: {
    const bool isSigned = e->kind() == Kind::FToS;
    Z3_ast x = asFloat(e->op(0)), towardZero = roundingMode(Rounding::TowardZero);
    Z3_ast value = keep(isSigned ? Z3_mk_fpa_to_sbv(z3_, towardZero, x, e->width())
                                 : Z3_mk_fpa_to_ubv(z3_, towardZero, x, e->width()));
    return keep(Z3_mk_ite(z3_, fits(e->op(0), e->width(), isSigned), value,
                          number(uint64_t(1) << (e->width() - 1), e->width())));
  }
  default: return floatBits(e, floats_[e] = keep(floatResult(e)));
  }
}

} // namespace fathom::solver
