// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/FloatFold.h"

#include "expr/Fold.h"

#include <cassert>

namespace fathom::expr {

/// Calls f with a value of the host's type of this width.
template <typename F> static uint64_t withFloatType(unsigned width, F f) {
  switch (width) {
  case 16: return f(_Float16());
  case 32: return f(float());
  default: assert(width == 64 && "no floating-point width"); return f(double());
  }
}

template <typename T>
static uint64_t foldOn(const FloatOperation &o, uint64_t a, uint64_t b, uint64_t c) {
  const T x = floatOf<T>(a), y = floatOf<T>(b);
  switch (o.kind) {
  case Kind::FAdd: return bitsOf(floatArithmetic<Kind::FAdd>(x, y));
  case Kind::FSub: return bitsOf(floatArithmetic<Kind::FSub>(x, y));
  case Kind::FMul: return bitsOf(floatArithmetic<Kind::FMul>(x, y));
  case Kind::FDiv: return bitsOf(floatArithmetic<Kind::FDiv>(x, y));
  case Kind::FEq: return x == y;
  case Kind::FLt: return x < y;
  case Kind::FLe: return x <= y;
  case Kind::FSqrt: return bitsOf(floatSqrt(x));
  case Kind::FRound: return bitsOf(floatRound(o.rounding, x));
  case Kind::FFma: return bitsOf(floatFma(x, y, floatOf<T>(c)));
  case Kind::FConvert:
    return withFloatType(o.width, [x](auto to) { return bitsOf(floatConvert<decltype(to)>(x)); });
  case Kind::FToS:
  case Kind::FToU: return floatToInteger(x, o.width, o.kind == Kind::FToS);
  default: assert(false && "no operation on floating-point numbers"); return 0;
  }
}

uint64_t foldFloat(const FloatOperation &o, uint64_t a, uint64_t b, uint64_t c) {
  if (o.kind == Kind::SToF || o.kind == Kind::UToF)
    return withFloatType(o.width, [&](auto to) {
      using T = decltype(to);
      // Beyond float's exact integers a half is infinite anyhow: rounded once.
      using W = FloatWork<T>;
      return bitsOf(static_cast<T>(o.kind == Kind::SToF
                                       ? static_cast<W>(signedValue(a, o.operandWidth))
                                       : static_cast<W>(a)));
    });
  return withFloatType(o.operandWidth,
                       [&](auto from) { return foldOn<decltype(from)>(o, a, b, c); });
}

} // namespace fathom::expr
