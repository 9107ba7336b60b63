// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: floating point. Halves, floats and doubles are computed, and kept as terms, with the
// meaning that expr/FloatFold.h gives each operation; x86_fp80 is the host's long double. (This
// file is compiled without any relaxation of IEEE 754.)
//
// Without terms are x86_fp80, remainders, ldexp and integers of more than 64 bits: there a symbolic
// operand is an Event::Concretize, which pins the path to one value and goes to the ledger. So is
// any with --symbolic-floats=0.
#include "explore/interpreter/FloatTerms.h"
#include "explore/interpreter/Handlers.h"
#include "expr/FloatBuilders.h"
#include "expr/FloatFold.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace fathom::explore {

using expr::FloatWork;
using expr::Kind;
using expr::Rounding;
using program::FpMath;
using program::FpType;

namespace {

unsigned widthOf(FpType t) {
  return t == FpType::Half ? 16 : t == FpType::Float ? 32 : t == FpType::Double ? 64 : 80;
}

template <typename T> T get(const uint64_t *r, uint32_t slot) {
  if constexpr (std::is_same_v<T, long double>) {
    long double v = 0;
    memcpy(&v, &r[slot], 10);
    return v;
  } else {
    T v;
    memcpy(&v, &r[slot], sizeof v);
    return v;
  }
}
template <typename T> void put(uint64_t *r, ExprPtr *s, uint32_t slot, T v) {
  r[slot] = 0;
  if constexpr (std::is_same_v<T, long double>) {
    r[slot + 1] = 0;
    memcpy(&r[slot], &v, 10);
    if (s) s[slot + 1] = nullptr;
  } else
    memcpy(&r[slot], &v, sizeof v);
  if (s) s[slot] = nullptr;
}

/// Calls f with a value of the C type that stands for this FpType.
template <typename F> void withType(unsigned type, F f) {
  switch (static_cast<FpType>(type)) {
  case FpType::Half: f(_Float16()); break;
  case FpType::Float: f(float()); break;
  case FpType::Double: f(double()); break;
  case FpType::X87: f((long double)0); break;
  }
}

template <typename T> constexpr bool kIsX87 = std::is_same_v<T, long double>;

template <typename T> bool signBitOf(T v) { return std::signbit(static_cast<FloatWork<T>>(v)); }

/// The magnitude of x: a NaN stays the same in its other bits.
template <typename T> T withSign(T x, bool negative) {
  if constexpr (kIsX87<T>) {
    return signBitOf(x) == negative ? x : -x;
  } else {
    constexpr expr::FloatFormat f = expr::kFormatOf<T>;
    return expr::floatOf<T>((expr::bitsOf(x) & f.magnitude()) | (negative ? f.signBit() : 0));
  }
}

/// FAdd .. FDiv.
template <Kind K, typename T> T arithmetic(T x, T y) {
  if constexpr (!kIsX87<T>)
    return expr::floatArithmetic<K>(x, y);
  else if constexpr (K == Kind::FAdd)
    return x + y;
  else if constexpr (K == Kind::FSub)
    return x - y;
  else if constexpr (K == Kind::FMul)
    return x * y;
  else
    return x / y;
}

template <typename To, typename From> To convert(From x) {
  if constexpr (kIsX87<To> || kIsX87<From>)
    return static_cast<To>(x);
  else if constexpr (std::is_same_v<To, From>)
    return x;
  else
    return expr::floatConvert<To>(x);
}

bool compare(unsigned predicate, long double a, long double b) {
  // The predicate's bits, as in LLVM: 1 = equal, 2 = greater, 4 = less, 8 = unordered.
  unsigned is = std::isnan(a) || std::isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return predicate & is;
}

template <typename T> T roundTo(Rounding rounding, T x) {
  if constexpr (kIsX87<T>) {
    switch (rounding) {
    case Rounding::Down: return std::floor(x);
    case Rounding::Up: return std::ceil(x);
    case Rounding::TowardZero: return std::trunc(x);
    case Rounding::NearestEven: return std::rint(x);
    case Rounding::NearestAway: return std::round(x);
    }
    return x;
  } else {
    return expr::floatRound(rounding, x);
  }
}

template <typename T> T math1(FpMath op, T x) {
  switch (op) {
  case FpMath::Fabs: return withSign(x, false);
  case FpMath::Sqrt:
    if constexpr (kIsX87<T>)
      return std::sqrt(x);
    else
      return expr::floatSqrt(x);
  case FpMath::Floor: return roundTo(Rounding::Down, x);
  case FpMath::Ceil: return roundTo(Rounding::Up, x);
  case FpMath::Trunc: return roundTo(Rounding::TowardZero, x);
  case FpMath::Rint:
  case FpMath::Nearbyint:
  case FpMath::RoundEven:
  case FpMath::Lrint: return roundTo(Rounding::NearestEven, x);
  case FpMath::Round:
  case FpMath::Lround: return roundTo(Rounding::NearestAway, x);
  default: return x; // Canonicalize
  }
}

template <typename T> T math2(FpMath op, T x, T y) {
  const bool xIsNaN = x != x, yIsNaN = y != y;
  switch (op) {
  case FpMath::CopySign: return withSign(x, signBitOf(y));
  // Of equal ones, which may differ in sign, the first: what the native code's instruction takes.
  case FpMath::MinNum: return xIsNaN || y < x ? y : x;
  case FpMath::MaxNum: return xIsNaN || x < y ? y : x;
  case FpMath::Minimum:
    if (xIsNaN || yIsNaN) return arithmetic<Kind::FAdd>(x, y);
    return x == y ? (signBitOf(x) ? x : y) : x < y ? x : y;
  default: // Maximum
    if (xIsNaN || yIsNaN) return arithmetic<Kind::FAdd>(x, y);
    return x == y ? (signBitOf(x) ? y : x) : x > y ? x : y;
  }
}

using Wide = unsigned __int128;

/// What a saturating conversion of a number gives that does not fit; false if it does.
bool saturates(long double v, unsigned width, bool isSigned, Wide &out) {
  const long double limit = std::ldexp(1.0L, static_cast<int>(isSigned ? width - 1 : width));
  const Wide mask = width >= 128 ? ~Wide(0) : (Wide(1) << width) - 1;
  if (std::isnan(v) || (!isSigned && v < 0))
    out = 0;
  else if (isSigned && v < -limit)
    out = Wide(1) << (width - 1);
  else if (v >= limit)
    out = isSigned ? mask >> 1 : mask;
  else
    return false;
  return true;
}

/// Conversion to an integer of more than 64 bits; where C leaves it undefined, 2^(width-1).
Wide toWideInteger(long double v, unsigned width, bool isSigned) {
  const long double limit = std::ldexp(1.0L, static_cast<int>(isSigned ? width - 1 : width));
  const Wide mask = width >= 128 ? ~Wide(0) : (Wide(1) << width) - 1;
  v = std::trunc(v);
  if (std::isnan(v) || v < -limit || v >= limit) return (Wide(1) << (width - 1)) & mask;
  if (isSigned || v < 0) return static_cast<Wide>(static_cast<__int128>(v)) & mask;
  return static_cast<Wide>(v) & mask;
}

/// What the signed conversion instruction for 32 or 64 bits gives.
template <typename T> uint64_t toSigned(T x, unsigned width) {
  if constexpr (kIsX87<T>) {
    const long double limit = std::ldexp(1.0L, static_cast<int>(width - 1)), v = std::trunc(x);
    if (!(v >= -limit && v < limit)) return uint64_t(1) << (width - 1);
    return static_cast<uint64_t>(static_cast<int64_t>(v)) & maskOf(width);
  } else {
    return expr::floatToInteger(x, width, /*isSigned=*/true);
  }
}

/// Conversion to an integer of at most 64 bits as x86-64 does it, also where C leaves it undefined
/// (out of range, NaN): floatToIntegerTerm() says the same of terms.
template <typename T> uint64_t toInteger(T x, unsigned width, bool isSigned) {
  // Instructions are for 32 and 64 bits, signed; of narrower results the low part is taken.
  if (width < 32 || (width == 32 && isSigned)) return toSigned(x, 32) & maskOf(width);
  if (width < 64 || isSigned) return toSigned(x, 64) & maskOf(width);
  const auto v = static_cast<long double>(x);
  if (v < 0) return toSigned(x, 64);
  return v < 18446744073709551616.0L ? static_cast<uint64_t>(v) : uint64_t(1) << 63;
}

/// Are values of this type kept as terms?
bool keepsTerms(const Interpreter *m, unsigned type) {
  return m->symbolicFloats && static_cast<FpType>(type) != FpType::X87;
}

} // namespace

#define FP_OPERANDS_CONCRETE(n)                                                                    \
  NEED_CONCRETE(ip->a, widthOf(static_cast<FpType>(ip->w)));                                       \
  if (n > 1) NEED_CONCRETE(ip->b, widthOf(static_cast<FpType>(ip->w)));                            \
  if (n > 2) NEED_CONCRETE(ip->c, widthOf(static_cast<FpType>(ip->w)))
#define FP_IS_SYM(n) (IS_SYM(ip->a) || (n > 1 && IS_SYM(ip->b)) || (n > 2 && IS_SYM(ip->c)))
#define FP_TERM(slot) m->registers.operand(r, s, slot, widthOf(static_cast<FpType>(ip->w)))

// With a symbolic operand, of n: the result is TERM, and the handler done; or the operands have to
// be concrete.
#define FP_SYMBOLIC(n, CAN, TERM)                                                                  \
  if (FP_IS_SYM(n)) [[unlikely]] {                                                                 \
    if (keepsTerms(m, ip->w) && (CAN)) {                                                           \
      m->registers.result(r, s, ip->dst, TERM);                                                    \
      NEXT;                                                                                        \
    }                                                                                              \
    FP_OPERANDS_CONCRETE(n);                                                                       \
  }

#define FP_BINARY(name)                                                                            \
  HANDLER(name) {                                                                                  \
    FP_SYMBOLIC(2, true, m->ctx.binary(Kind::name, FP_TERM(ip->a), FP_TERM(ip->b)));               \
    withType(ip->w, [&](auto tag) {                                                                \
      using T = decltype(tag);                                                                     \
      put<T>(r, s, ip->dst, arithmetic<Kind::name>(get<T>(r, ip->a), get<T>(r, ip->b)));           \
    });                                                                                            \
    NEXT;                                                                                          \
  }
FP_BINARY(FAdd)
FP_BINARY(FSub)
FP_BINARY(FMul)
FP_BINARY(FDiv)

HANDLER(FRem) {
  FP_OPERANDS_CONCRETE(2);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    const T x = get<T>(r, ip->a), y = get<T>(r, ip->b);
    put<T>(r, s, ip->dst,
           static_cast<T>(std::fmod(static_cast<FloatWork<T>>(x), static_cast<FloatWork<T>>(y))));
  });
  NEXT;
}

#define FP_BINARY64(name, KIND)                                                                    \
  HANDLER(name) {                                                                                  \
    if (FP_IS_SYM(2)) [[unlikely]] {                                                               \
      if (m->symbolicFloats) {                                                                     \
        m->operations.symBinary(ip, r, s, 64, KIND, /*immediate=*/false);                          \
        NEXT;                                                                                      \
      }                                                                                            \
      NEED_CONCRETE(ip->a, 64);                                                                    \
      NEED_CONCRETE(ip->b, 64);                                                                    \
    }                                                                                              \
    put<double>(r, s, ip->dst,                                                                     \
                expr::floatArithmetic<KIND>(get<double>(r, ip->a), get<double>(r, ip->b)));        \
    NEXT;                                                                                          \
  }
FP_BINARY64(FAdd64, Kind::FAdd)
FP_BINARY64(FSub64, Kind::FSub)
FP_BINARY64(FMul64, Kind::FMul)
FP_BINARY64(FDiv64, Kind::FDiv)

// Negation, absolute value and sign copying only move the sign bit: exact on terms as well.
HANDLER(FNeg) {
  unsigned w = widthOf(static_cast<FpType>(ip->w));
  if (IS_SYM(ip->a)) {
    ExprPtr e = s[ip->a];
    m->registers.result(
        r, s, ip->dst,
        m->ctx.concat(m->ctx.bvNot(m->ctx.extract(e, w - 1, 1)), m->ctx.trunc(e, w - 1)));
    NEXT;
  }
  uint64_t lo = r[ip->a], hi = w > 64 ? r[ip->a + 1] : 0;
  (w > 64 ? hi : lo) ^= uint64_t(1) << ((w - 1) % 64);
  r[ip->dst] = lo;
  if (w > 64) r[ip->dst + 1] = hi;
  CLEAR(ip->dst);
  NEXT;
}
namespace {
/// The magnitude of r[a] under a sign bit.
void withSign(Interpreter *m, const Inst *ip, uint64_t *r, ExprPtr *s, unsigned w, ExprPtr sign) {
  m->registers.result(
      r, s, ip->dst,
      m->ctx.concat(sign, m->ctx.trunc(m->registers.operand(r, s, ip->a, w), w - 1)));
}
} // namespace
HANDLER(FCmp) {
  FP_SYMBOLIC(2, true, floatCompareTerm(m->ctx, ip->d, FP_TERM(ip->a), FP_TERM(ip->b)));
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    r[ip->dst] = compare(ip->d, static_cast<long double>(get<T>(r, ip->a)),
                         static_cast<long double>(get<T>(r, ip->b)));
  });
  CLEAR(ip->dst);
  NEXT;
}

#define FP_TO_INT(name, SIGNED)                                                                    \
  HANDLER(name) {                                                                                  \
    const bool saturate = ip->flags & program::kSaturate;                                          \
    FP_SYMBOLIC(1, ip->c <= 64 && !saturate,                                                       \
                floatToIntegerTerm(m->ctx, FP_TERM(ip->a), ip->c, SIGNED));                        \
    withType(ip->w, [&](auto tag) {                                                                \
      const auto x = get<decltype(tag)>(r, ip->a);                                                 \
      Wide v;                                                                                      \
      if (!saturate || !saturates(static_cast<long double>(x), ip->c, SIGNED, v))                  \
        v = ip->c <= 64 ? toInteger(x, ip->c, SIGNED)                                              \
                        : toWideInteger(static_cast<long double>(x), ip->c, SIGNED);               \
      r[ip->dst] = static_cast<uint64_t>(v);                                                       \
      if (ip->c > 64) r[ip->dst + 1] = static_cast<uint64_t>(v >> 64);                             \
    });                                                                                            \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }
FP_TO_INT(FToUI, false)
FP_TO_INT(FToSI, true)

#define INT_TO_FP(name, SIGNED)                                                                    \
  HANDLER(name) {                                                                                  \
    if (IS_SYM(ip->a) && ip->c <= 64 && keepsTerms(m, ip->w)) [[unlikely]] {                       \
      const unsigned w = widthOf(static_cast<FpType>(ip->w));                                      \
      m->registers.result(r, s, ip->dst,                                                           \
                          SIGNED ? stof(m->ctx, s[ip->a], w) : utof(m->ctx, s[ip->a], w));         \
      NEXT;                                                                                        \
    }                                                                                              \
    NEED_CONCRETE(ip->a, ip->c);                                                                   \
    withType(ip->w, [&](auto tag) {                                                                \
      using T = decltype(tag);                                                                     \
      T v;                                                                                         \
      if (ip->c > 64) {                                                                            \
        Wide u = (static_cast<Wide>(r[ip->a + 1]) << 64) | r[ip->a];                               \
        v = SIGNED ? static_cast<T>(static_cast<__int128>(u << (128 - ip->c)) >> (128 - ip->c))    \
                   : static_cast<T>(u);                                                            \
      } else                                                                                       \
        v = SIGNED ? static_cast<T>(signExtend(r[ip->a], ip->c)) : static_cast<T>(r[ip->a]);       \
      put<T>(r, s, ip->dst, v);                                                                    \
    });                                                                                            \
    NEXT;                                                                                          \
  }
INT_TO_FP(UIToF, false)
INT_TO_FP(SIToF, true)

HANDLER(FConv) {
  if (IS_SYM(ip->a) && keepsTerms(m, ip->w) && keepsTerms(m, ip->c)) [[unlikely]] {
    m->registers.result(r, s, ip->dst,
                        fconvert(m->ctx, s[ip->a], widthOf(static_cast<FpType>(ip->w))));
    NEXT;
  }
  NEED_CONCRETE(ip->a, widthOf(static_cast<FpType>(ip->c)));
  withType(ip->c, [&](auto from) {
    auto v = get<decltype(from)>(r, ip->a);
    withType(ip->w, [&](auto to) { put<decltype(to)>(r, s, ip->dst, convert<decltype(to)>(v)); });
  });
  NEXT;
}
HANDLER(FMath1) {
  const auto op = static_cast<FpMath>(ip->d);
  if (IS_SYM(ip->a) && op == FpMath::Fabs) {
    withSign(m, ip, r, s, widthOf(static_cast<FpType>(ip->w)), m->ctx.falseExpr());
    NEXT;
  }
  FP_SYMBOLIC(1, true, floatMath1Term(m->ctx, op, FP_TERM(ip->a)));
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    put<T>(r, s, ip->dst, math1<T>(op, get<T>(r, ip->a)));
  });
  NEXT;
}
HANDLER(FMath2) {
  const auto op = static_cast<FpMath>(ip->d);
  if ((IS_SYM(ip->a) || IS_SYM(ip->b)) && op == FpMath::CopySign) {
    unsigned w = widthOf(static_cast<FpType>(ip->w));
    withSign(m, ip, r, s, w, m->ctx.extract(m->registers.operand(r, s, ip->b, w), w - 1, 1));
    NEXT;
  }
  FP_SYMBOLIC(2, true, floatMath2Term(m->ctx, op, FP_TERM(ip->a), FP_TERM(ip->b)));
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    put<T>(r, s, ip->dst, math2<T>(op, get<T>(r, ip->a), get<T>(r, ip->b)));
  });
  NEXT;
}
HANDLER(FMa) {
  FP_SYMBOLIC(3, true, ffma(m->ctx, FP_TERM(ip->a), FP_TERM(ip->b), FP_TERM(ip->c)));
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    const T x = get<T>(r, ip->a), y = get<T>(r, ip->b), z = get<T>(r, ip->c);
    if constexpr (kIsX87<T>)
      put<T>(r, s, ip->dst, std::fma(x, y, z));
    else
      put<T>(r, s, ip->dst, expr::floatFma(x, y, z));
  });
  NEXT;
}
HANDLER(FToInt) {
  const auto op = static_cast<FpMath>(ip->d);
  FP_SYMBOLIC(1, true,
              floatToIntegerTerm(m->ctx, floatMath1Term(m->ctx, op, FP_TERM(ip->a)), ip->c, true));
  withType(ip->w, [&](auto tag) {
    r[ip->dst] = toInteger(math1(op, get<decltype(tag)>(r, ip->a)), ip->c, /*isSigned=*/true);
  });
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(FClass) {
  FP_SYMBOLIC(1, true, floatClassTerm(m->ctx, ip->imm, FP_TERM(ip->a)));
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    T x = get<T>(r, ip->a);
    auto v = static_cast<long double>(x);
    bool negative = signBitOf(x);
    // LLVM's FPClassTest bits.
    bool subnormal =
        v != 0 && std::fabs(v) <
                      static_cast<long double>(
                          std::is_same_v<T, _Float16>
                              ? 6.103515625e-05L
                              : static_cast<long double>(std::numeric_limits<FloatWork<T>>::min()));
    unsigned bit;
    if (std::isnan(v)) {
      // The quiet bit is the highest of the fraction (below the explicit integer bit in x86_fp80).
      unsigned quiet = std::is_same_v<T, _Float16> ? 9
                       : std::is_same_v<T, float>  ? 22
                       : std::is_same_v<T, double> ? 51
                                                   : 62;
      bit = (r[ip->a] >> quiet) & 1 ? 0x2 : 0x1;
    } else if (std::isinf(v))
      bit = negative ? 0x4 : 0x200;
    else if (v == 0)
      bit = negative ? 0x20 : 0x40;
    else if (subnormal)
      bit = negative ? 0x10 : 0x80;
    else
      bit = negative ? 0x8 : 0x100;
    r[ip->dst] = (ip->imm & bit) != 0;
  });
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(FLdexp) {
  NEED_CONCRETE(ip->a, widthOf(static_cast<FpType>(ip->w)));
  NEED_CONCRETE(ip->b, 32);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    put<T>(r, s, ip->dst,
           static_cast<T>(std::ldexp(static_cast<FloatWork<T>>(get<T>(r, ip->a)),
                                     static_cast<int>(r[ip->b]))));
  });
  NEXT;
}

void fillFloatHandlers(HandlerTables tables) {
  SET_HANDLER(FAdd);
  SET_HANDLER(FSub);
  SET_HANDLER(FMul);
  SET_HANDLER(FDiv);
  SET_HANDLER(FRem);
  SET_HANDLER(FNeg);
  SET_HANDLER(FAdd64);
  SET_HANDLER(FSub64);
  SET_HANDLER(FMul64);
  SET_HANDLER(FDiv64);
  SET_HANDLER(FCmp);
  SET_HANDLER(FToUI);
  SET_HANDLER(FToSI);
  SET_HANDLER(UIToF);
  SET_HANDLER(SIToF);
  SET_HANDLER(FConv);
  SET_HANDLER(FMath1);
  SET_HANDLER(FMath2);
  SET_HANDLER(FMa);
  SET_HANDLER(FToInt);
  SET_HANDLER(FClass);
  SET_HANDLER(FLdexp);
}

} // namespace fathom::explore
