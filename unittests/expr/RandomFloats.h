// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bit patterns and terms for property tests of floating point: mostly the values at which
// operations change their mind.
#ifndef FATHOM_UNITTESTS_EXPR_RANDOMFLOATS_H
#define FATHOM_UNITTESTS_EXPR_RANDOMFLOATS_H

#include "expr/ExprContext.h"
#include "expr/FloatBuilders.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"
#include "support/Rng.h"

#include <map>
#include <vector>

namespace fathom::expr::test {

inline constexpr unsigned kFloatWidths[] = {16, 32, 64};

/// Zeros, infinities, NaNs of both kinds, the least and greatest of subnormal and normal numbers,
/// small integers and halves of odd ones, the borders of integer types, and anything.
inline uint64_t somePattern(unsigned width, Rng &rng) {
  const FloatFormat f = floatFormat(width);
  const uint64_t sign = rng.flip() ? f.signBit() : 0;
  const uint64_t any = (uint64_t(rng.next()) << 32 | rng.next()) & lowMask(width);
  const uint64_t leastNormal = uint64_t(1) << f.fractionBits;
  auto integer = [&](uint64_t v) {
    return foldFloat({Kind::UToF, Rounding::NearestEven, width, 64}, v);
  };
  switch (rng.below(14)) {
  case 0: return sign;
  case 1: return sign | f.infinity();
  case 2: return sign | f.infinity() | f.quietBit() | (any & (f.quietBit() - 1));
  case 3: return sign | f.infinity() | (any & (f.quietBit() - 1)) | 1;
  case 4: return sign | (any & (leastNormal - 1));
  case 5: return sign | (rng.flip() ? 1 : leastNormal - 1);
  case 6: return sign | (rng.flip() ? leastNormal : f.infinity() - 1);
  case 7: return sign | integer(rng.below(20));
  case 8:
    return foldFloat({Kind::FMul, Rounding::NearestEven, width, width},
                     sign | integer(2 * rng.below(50) + 1), f.one() - leastNormal);
  case 9: // about 2^7, 2^8, ... 2^64
    return (sign | integer(uint64_t(1) << (7 + rng.below(57)))) + rng.below(3) - 1;
  case 10: return sign | (f.one() + rng.below(5) - 2);
  default: return any;
  }
}

/// Floating-point terms over 16 bytes of input, among integers, choices and slices.
class RandomFloats {
public:
  RandomFloats(ExprContext &context, Rng &rng) : c(context), rng(rng) {
    input = c.symbol("in", 16);
    for (unsigned width : kFloatWidths)
      for (uint64_t at : {uint64_t(0), uint64_t(8)}) pool[width].push_back(bytes(at, width / 8));
    for (uint64_t at : {uint64_t(0), uint64_t(4)}) pool[8].push_back(c.read(input, at));
  }

  ExprPtr bytes(uint64_t at, unsigned count) {
    ExprPtr e = c.read(input, at);
    for (unsigned i = 1; i < count; ++i) e = c.concat(c.read(input, at + i), e);
    return e;
  }

  ExprPtr any(unsigned width) {
    auto &made = pool[width];
    if (isFloatWidth(width) && rng.below(5) == 0) return c.constant(somePattern(width, rng), width);
    if (made.empty() || rng.below(6) == 0) return grow(width);
    return made[rng.below(static_cast<uint32_t>(made.size()))];
  }

  /// A new term of this width (1, 8, 16, 32 or 64), which joins the others.
  ExprPtr grow(unsigned width) {
    ExprPtr e = make(width);
    if (!e->isConst()) pool[width].push_back(e);
    return e;
  }

  unsigned floatWidth() { return kFloatWidths[rng.below(3)]; }

  ExprContext &c;
  Rng &rng;
  ExprPtr input;
  std::map<unsigned, std::vector<ExprPtr>> pool;

private:
  ExprPtr predicate() {
    static constexpr Kind kPredicates[] = {Kind::FEq, Kind::FLt, Kind::FLe};
    const unsigned w = floatWidth();
    if (rng.below(5) == 0) return fisNaN(c, any(w));
    ExprPtr a = any(w);
    return c.binary(kPredicates[rng.below(3)], a, rng.below(8) ? any(w) : a);
  }
  ExprPtr integer(unsigned width) {
    if (rng.below(3) == 0) return width == 8 ? c.extract(any(32), 3, 8) : any(width);
    const unsigned from = floatWidth();
    return rng.flip() ? ftos(c, any(from), width) : ftou(c, any(from), width);
  }
  ExprPtr make(unsigned width) {
    if (width == 1) return predicate();
    if (width == 8) return integer(8);
    static constexpr Kind kOps[] = {Kind::FAdd, Kind::FSub, Kind::FMul, Kind::FDiv};
    switch (rng.below(12)) {
    case 0: return fneg(c, any(width));
    case 1: return fabs(c, any(width));
    case 2: return c.ite(predicate(), any(width), any(width));
    case 3: return fround(c, static_cast<Rounding>(rng.below(5)), any(width));
    case 4: return fconvert(c, any(floatWidth()), width);
    case 5: return stof(c, any(rng.flip() ? 8 : floatWidth()), width);
    case 6: return utof(c, any(rng.flip() ? 8 : floatWidth()), width);
    case 7: return rng.flip() ? fsqrt(c, any(width)) : ffma(c, any(width), any(width), any(width));
    case 8: return integer(width);
    case 9: { // a promotion
      if (width == 64) break;
      const unsigned wide = width * 2;
      return fconvert(c,
                      c.binary(kOps[rng.below(4)], fconvert(c, any(width), wide),
                               fconvert(c, any(width), wide)),
                      width);
    }
    default: break;
    }
    return c.binary(kOps[rng.below(4)], any(width), any(width));
  }
};

} // namespace fathom::expr::test
#endif
