// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Facts.h"

#include "expr/FloatFold.h"

#include <algorithm>
#include <bit>

namespace fathom::expr {

/// All bits up to and including the highest set one.
static uint64_t fillRight(uint64_t v) { return v ? ~uint64_t(0) >> std::countl_zero(v) : 0; }

void Facts::tighten() {
  min = std::max(min, ones);
  max = std::min(max, ~zeros);
  if (min > max) return;
  // The common leading bits of min and max are known.
  uint64_t fixed = ~fillRight(min ^ max);
  ones |= min & fixed;
  zeros |= ~min & fixed;
}

Facts Facts::between(uint64_t min, uint64_t max, unsigned width) {
  Facts f = any(width);
  f.min = min;
  f.max = max;
  f.tighten();
  return f;
}

std::optional<bool> decideCompare(Kind kind, const Facts &a, const Facts &b, unsigned width) {
  switch (kind) {
  case Kind::Eq:
    if (a.isExact() && b.isExact() && a.min == b.min) return true;
    if (a.max < b.min || b.max < a.min || (a.ones & b.zeros) || (a.zeros & b.ones)) return false;
    return std::nullopt;
  case Kind::Ult:
    if (a.max < b.min) return true;
    if (a.min >= b.max) return false;
    return std::nullopt;
  case Kind::Ule:
    if (a.max <= b.min) return true;
    if (a.min > b.max) return false;
    return std::nullopt;
  case Kind::Slt:
  case Kind::Sle: {
    const uint64_t sign = uint64_t(1) << (width - 1);
    bool aNeg = a.ones & sign, aPos = a.zeros & sign, bNeg = b.ones & sign, bPos = b.zeros & sign;
    if (aNeg && bPos) return true;
    if (aPos && bNeg) return false;
    if ((aNeg && bNeg) || (aPos && bPos)) // the order of equal signs is the unsigned one
      return decideCompare(kind == Kind::Slt ? Kind::Ult : Kind::Ule, a, b, width);
    return std::nullopt;
  }
  default: return std::nullopt;
  }
}

static Facts addFacts(const Facts &a, const Facts &b, unsigned width) {
  const uint64_t mask = lowMask(width);
  Facts f = Facts::any(width);
  uint64_t low = a.min + b.min, high = a.max + b.max;
  bool overflow = high < a.max || high > mask;
  bool always = overflow && (low < a.min || low > mask); // every sum wraps exactly once
  if (!overflow || always) {
    f.min = low & mask;
    f.max = high & mask;
  }
  // Low bits known in both are known in the sum, as long as the known run is unbroken from bit 0.
  unsigned run = std::min(std::countr_one(a.zeros | a.ones), std::countr_one(b.zeros | b.ones));
  if (run) {
    uint64_t known = run >= 64 ? ~uint64_t(0) : lowMask(run), sum = (a.ones + b.ones) & mask;
    f.ones |= sum & known & mask;
    f.zeros |= ~sum & known;
  }
  f.tighten();
  return f;
}

static Facts shiftFacts(Kind kind, const Facts &a, const Facts &b, unsigned width) {
  const uint64_t mask = lowMask(width);
  Facts f = Facts::any(width);
  if (b.isExact() && b.min < width) {
    unsigned n = static_cast<unsigned>(b.min);
    if (kind == Kind::Shl) {
      f.zeros |= (a.zeros << n) | (n ? lowMask(n) : 0) | ~mask;
      f.ones = (a.ones << n) & mask;
      if (a.max <= mask >> n) f.min = a.min << n, f.max = a.max << n;
    } else if (kind == Kind::LShr) {
      f.zeros = ((a.zeros & mask) >> n) | ~(mask >> n);
      f.ones = a.ones >> n;
      f.min = a.min >> n;
      f.max = a.max >> n;
    } else if (a.zeros >> (width - 1) & 1) {
      return shiftFacts(Kind::LShr, a, b, width);
    }
  } else if (kind == Kind::LShr || (kind == Kind::AShr && (a.zeros >> (width - 1) & 1))) {
    f.max = b.min >= width ? 0 : a.max >> b.min;
  }
  f.tighten();
  return f;
}

Facts combineFacts(ExprPtr e, const Facts *ops) {
  const unsigned width = e->width();
  const uint64_t mask = lowMask(width);
  Facts f = Facts::any(width);
  const Facts &a = ops[0], &b = ops[1];
  switch (e->kind()) {
  case Kind::Const: return Facts::exactly(e->value());
  case Kind::Bound: return Facts::between(1, e->range(), 64);
  case Kind::Concat: {
    unsigned n = e->op(1)->width();
    f.zeros = (a.zeros << n) | (b.zeros & lowMask(n));
    f.ones = (a.ones << n) | b.ones;
    f.min = (a.min << n) | b.min;
    f.max = (a.max << n) | b.max;
    f.zeros |= ~mask;
    f.tighten();
    return f;
  }
  case Kind::Extract: {
    if (e->op(0)->width() > 64) return f;
    unsigned n = e->offset();
    f.zeros = (a.zeros >> n) | ~mask;
    f.ones = (a.ones >> n) & mask;
    if (a.max >> n <= mask) f.min = a.min >> n, f.max = a.max >> n;
    f.tighten();
    return f;
  }
  case Kind::ZExt: return a;
  case Kind::SExt: {
    unsigned n = e->op(0)->width();
    uint64_t sign = uint64_t(1) << (n - 1), high = mask & ~lowMask(n);
    if (a.zeros & sign) return a;
    if (a.ones & sign) {
      f.zeros = (a.zeros & lowMask(n)) | ~mask;
      f.ones = a.ones | high;
      f.min = a.min | high;
      f.max = a.max | high;
    } else {
      f.zeros = (a.zeros & lowMask(n)) | ~mask;
      f.ones = a.ones & lowMask(n);
    }
    f.tighten();
    return f;
  }
  case Kind::Not:
    f.zeros = (a.ones & mask) | ~mask;
    f.ones = a.zeros & mask;
    f.min = ~a.max & mask;
    f.max = ~a.min & mask;
    return f;
  case Kind::And:
    f.zeros = a.zeros | b.zeros;
    f.ones = a.ones & b.ones;
    f.max = std::min(a.max, b.max);
    f.tighten();
    return f;
  case Kind::Or:
    f.zeros = a.zeros & b.zeros;
    f.ones = a.ones | b.ones;
    f.min = std::max(a.min, b.min);
    f.tighten();
    return f;
  case Kind::Xor:
    f.zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
    f.ones = (a.zeros & b.ones) | (a.ones & b.zeros);
    f.tighten();
    return f;
  case Kind::Add: return addFacts(a, b, width);
  case Kind::Sub:
    if (a.min >= b.max) {
      f.min = a.min - b.max;
      f.max = a.max - b.min;
      f.tighten();
    }
    return f;
  case Kind::Mul: {
    unsigned __int128 high = static_cast<unsigned __int128>(a.max) * b.max;
    if (high <= mask) {
      f.min = a.min * b.min;
      f.max = static_cast<uint64_t>(high);
    }
    unsigned trailing = std::countr_one(a.zeros) + std::countr_one(b.zeros);
    if (trailing) f.zeros |= trailing >= 64 ? ~uint64_t(0) : lowMask(trailing);
    f.tighten();
    return f;
  }
  case Kind::UDiv:
    if (b.min == 0) return f; // x / 0 is all ones
    f.min = a.min / b.max;
    f.max = a.max / b.min;
    f.tighten();
    return f;
  case Kind::URem:
    f.max = b.min == 0 ? a.max : std::min(a.max, b.max - 1);
    f.tighten();
    return f;
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr: return shiftFacts(e->kind(), a, b, width);
  case Kind::Eq:
  case Kind::Ult:
  case Kind::Ule:
  case Kind::Slt:
  case Kind::Sle:
    if (e->op(0)->width() <= 64) {
      const auto decided = decideCompare(e->kind(), a, b, e->op(0)->width());
      if (decided) return Facts::exactly(*decided);
    }
    return f;
  case Kind::Ite: {
    const Facts &t = ops[1], &u = ops[2];
    if (a.isExact()) return a.min ? t : u;
    f.zeros = t.zeros & u.zeros;
    f.ones = t.ones & u.ones;
    f.min = std::min(t.min, u.min);
    f.max = std::max(t.max, u.max);
    return f;
  }
  default: return f;
  }
}

Facts factsOf(ExprPtr e, unsigned depth) {
  const unsigned width = e->width();
  if (width == 0 || width > 64) return Facts{};
  if (e->isConst()) return Facts::exactly(e->value());
  switch (e->kind()) { // kinds whose operands say nothing, or too little for the price
  case Kind::Read:
  case Kind::SDiv:
  case Kind::SRem:
  case Kind::Eq: // comparisons were decided when they were built
  case Kind::Ult:
  case Kind::Ule:
  case Kind::Slt:
  case Kind::Sle: return Facts::any(width);
  case Kind::ZExt: return factsOf(e->op(0), depth);
  case Kind::Bound: return Facts::between(1, e->range(), 64);
  case Kind::Forall: return Facts::any(1);
  default: break;
  }
  if (depth == 0 || isFloatKind(e->kind())) return Facts::any(width); // nothing is known of these
  Facts ops[3];
  for (unsigned i = 0; i < e->numOps(); ++i)
    ops[i] = e->kind() == Kind::Ite && i == 0 ? Facts::any(1) : factsOf(e->op(i), depth - 1);
  return combineFacts(e, ops);
}

} // namespace fathom::expr
