// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: floating point, computed by the host's own instructions (this file is compiled without
// any relaxation of IEEE 754; x86_fp80 is the host's long double, half is _Float16). Terms are not
// supported: a symbolic operand is an Event::Concretize, which pins the path to one value and goes
// to the ledger.
#include "explore/Handlers.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace fathom::explore {

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

/// Arithmetic type of a computation in T: halves are computed in float and rounded once, which is
/// exact for + - * /.
template <typename T> using Work = std::conditional_t<std::is_same_v<T, _Float16>, float, T>;

template <typename T> bool signBitOf(T v) { return std::signbit(static_cast<Work<T>>(v)); }

bool compare(unsigned predicate, long double a, long double b) {
  // The predicate's bits, as in LLVM: 1 = equal, 2 = greater, 4 = less, 8 = unordered.
  unsigned is = std::isnan(a) || std::isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return predicate & is;
}

template <typename T> T math1(FpMath op, T x) {
  using W = Work<T>;
  W v = static_cast<W>(x);
  switch (op) {
  case FpMath::Fabs: return static_cast<T>(std::fabs(v));
  case FpMath::Sqrt: return static_cast<T>(std::sqrt(v));
  case FpMath::Floor: return static_cast<T>(std::floor(v));
  case FpMath::Ceil: return static_cast<T>(std::ceil(v));
  case FpMath::Trunc: return static_cast<T>(std::trunc(v));
  case FpMath::Rint: return static_cast<T>(std::rint(v));
  case FpMath::Nearbyint: return static_cast<T>(std::nearbyint(v));
  case FpMath::Round: return static_cast<T>(std::round(v));
  case FpMath::RoundEven: return static_cast<T>(v - std::remainder(v, W(1)));
  default: return x; // Canonicalize
  }
}

template <typename T> T math2(FpMath op, T x, T y) {
  using W = Work<T>;
  W a = static_cast<W>(x), b = static_cast<W>(y);
  switch (op) {
  case FpMath::CopySign: return static_cast<T>(std::copysign(a, b));
  case FpMath::MinNum: return static_cast<T>(std::fmin(a, b));
  case FpMath::MaxNum: return static_cast<T>(std::fmax(a, b));
  case FpMath::Minimum:
    if (std::isnan(a) || std::isnan(b)) return static_cast<T>(a + b);
    return a == b ? (std::signbit(a) ? x : y) : a < b ? x : y;
  default: // Maximum
    if (std::isnan(a) || std::isnan(b)) return static_cast<T>(a + b);
    return a == b ? (std::signbit(a) ? y : x) : a > b ? x : y;
  }
}

/// Conversion to an integer of `width` bits as x86-64 does it where C leaves it undefined (out of
/// range, NaN), or saturating.
unsigned __int128 toInteger(long double v, unsigned width, bool isSigned, bool saturate) {
  long double limit = std::ldexp(1.0L, static_cast<int>(isSigned ? width - 1 : width));
  unsigned __int128 mask = width >= 128 ? ~static_cast<unsigned __int128>(0)
                                        : (static_cast<unsigned __int128>(1) << width) - 1;
  if (saturate) {
    if (std::isnan(v)) return 0;
    if (isSigned && v < -limit) return static_cast<unsigned __int128>(1) << (width - 1);
    if (!isSigned && v < 0) return 0;
    if (v >= limit) return isSigned ? mask >> 1 : mask;
  }
  v = std::trunc(v);
  if (width <=
      32) { // cvttsd2si with 64 bits, the low part kept: "integer indefinite" only beyond 2^63
    if (isSigned && width == 32 && !(v >= -limit && v < limit)) return 0x80000000u;
    if (!(v >= -9223372036854775808.0L && v < 9223372036854775808.0L))
      return (static_cast<unsigned __int128>(1) << 63) & mask;
    return static_cast<unsigned __int128>(static_cast<__int128>(v)) & mask;
  }
  if (std::isnan(v) || v < -limit || v >= limit)
    return (static_cast<unsigned __int128>(1) << (width - 1)) & mask;
  if (!isSigned)
    return static_cast<unsigned __int128>(
               v < 0 ? static_cast<unsigned __int128>(static_cast<__int128>(v))
                     : static_cast<unsigned __int128>(v)) &
           mask;
  return static_cast<unsigned __int128>(static_cast<__int128>(v)) & mask;
}

} // namespace

#define FP_OPERANDS_CONCRETE(n)                                                                    \
  NEED_CONCRETE(ip->a, widthOf(static_cast<FpType>(ip->w)));                                       \
  if (n > 1) NEED_CONCRETE(ip->b, widthOf(static_cast<FpType>(ip->w)));                            \
  if (n > 2) NEED_CONCRETE(ip->c, widthOf(static_cast<FpType>(ip->w)))

#define FP_BINARY(name, EXPRESSION)                                                                \
  HANDLER(name) {                                                                                  \
    FP_OPERANDS_CONCRETE(2);                                                                       \
    withType(ip->w, [&](auto tag) {                                                                \
      using T = decltype(tag);                                                                     \
      Work<T> x = static_cast<Work<T>>(get<T>(r, ip->a)),                                          \
              y = static_cast<Work<T>>(get<T>(r, ip->b));                                          \
      put<T>(r, s, ip->dst, static_cast<T>(EXPRESSION));                                           \
    });                                                                                            \
    NEXT;                                                                                          \
  }
FP_BINARY(FAdd, x + y)
FP_BINARY(FSub, x - y)
FP_BINARY(FMul, x *y)
FP_BINARY(FDiv, x / y)
FP_BINARY(FRem, std::fmod(x, y))

#define FP_BINARY64(name, OPERATOR)                                                                \
  HANDLER(name) {                                                                                  \
    NEED_CONCRETE(ip->a, 64);                                                                      \
    NEED_CONCRETE(ip->b, 64);                                                                      \
    put<double>(r, s, ip->dst, get<double>(r, ip->a) OPERATOR get<double>(r, ip->b));              \
    NEXT;                                                                                          \
  }
FP_BINARY64(FAdd64, +)
FP_BINARY64(FSub64, -)
FP_BINARY64(FMul64, *)
FP_BINARY64(FDiv64, /)

// Negation, absolute value and sign copying only move the sign bit: exact on terms as well.
HANDLER(FNeg) {
  unsigned w = widthOf(static_cast<FpType>(ip->w));
  if (IS_SYM(ip->a)) {
    ExprPtr e = s[ip->a];
    m->result(r, s, ip->dst,
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
void withSign(Machine *m, const Inst *ip, uint64_t *r, ExprPtr *s, unsigned w, ExprPtr sign) {
  m->result(r, s, ip->dst, m->ctx.concat(sign, m->ctx.trunc(m->operand(r, s, ip->a, w), w - 1)));
}
} // namespace
HANDLER(FCmp) {
  FP_OPERANDS_CONCRETE(2);
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
    FP_OPERANDS_CONCRETE(1);                                                                       \
    withType(ip->w, [&](auto tag) {                                                                \
      using T = decltype(tag);                                                                     \
      auto v = toInteger(static_cast<long double>(get<T>(r, ip->a)), ip->c, SIGNED,                \
                         ip->flags & program::kSaturate);                                          \
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
    NEED_CONCRETE(ip->a, ip->c);                                                                   \
    withType(ip->w, [&](auto tag) {                                                                \
      using T = decltype(tag);                                                                     \
      T v;                                                                                         \
      if (ip->c > 64) {                                                                            \
        unsigned __int128 u = (static_cast<unsigned __int128>(r[ip->a + 1]) << 64) | r[ip->a];     \
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
  NEED_CONCRETE(ip->a, widthOf(static_cast<FpType>(ip->c)));
  withType(ip->c, [&](auto from) {
    auto v = get<decltype(from)>(r, ip->a);
    withType(ip->w,
             [&](auto to) { put<decltype(to)>(r, s, ip->dst, static_cast<decltype(to)>(v)); });
  });
  NEXT;
}
HANDLER(FMath1) {
  if (IS_SYM(ip->a) && static_cast<FpMath>(ip->d) == FpMath::Fabs) {
    withSign(m, ip, r, s, widthOf(static_cast<FpType>(ip->w)), m->ctx.falseExpr());
    NEXT;
  }
  FP_OPERANDS_CONCRETE(1);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    put<T>(r, s, ip->dst, math1<T>(static_cast<FpMath>(ip->d), get<T>(r, ip->a)));
  });
  NEXT;
}
HANDLER(FMath2) {
  if ((IS_SYM(ip->a) || IS_SYM(ip->b)) && static_cast<FpMath>(ip->d) == FpMath::CopySign) {
    unsigned w = widthOf(static_cast<FpType>(ip->w));
    withSign(m, ip, r, s, w, m->ctx.extract(m->operand(r, s, ip->b, w), w - 1, 1));
    NEXT;
  }
  FP_OPERANDS_CONCRETE(2);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    put<T>(r, s, ip->dst, math2<T>(static_cast<FpMath>(ip->d), get<T>(r, ip->a), get<T>(r, ip->b)));
  });
  NEXT;
}
HANDLER(FMa) {
  FP_OPERANDS_CONCRETE(3);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    using W = Work<T>;
    put<T>(
        r, s, ip->dst,
        static_cast<T>(std::fma(static_cast<W>(get<T>(r, ip->a)), static_cast<W>(get<T>(r, ip->b)),
                                static_cast<W>(get<T>(r, ip->c)))));
  });
  NEXT;
}
HANDLER(FToInt) {
  FP_OPERANDS_CONCRETE(1);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    auto v = static_cast<long double>(get<T>(r, ip->a));
    v = static_cast<FpMath>(ip->d) == FpMath::Lround ? std::round(v) : std::rint(v);
    r[ip->dst] = static_cast<uint64_t>(toInteger(v, ip->c, true, false));
  });
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(FClass) {
  FP_OPERANDS_CONCRETE(1);
  withType(ip->w, [&](auto tag) {
    using T = decltype(tag);
    T x = get<T>(r, ip->a);
    auto v = static_cast<long double>(x);
    bool negative = signBitOf(x);
    // LLVM's FPClassTest bits.
    bool subnormal =
        v != 0 &&
        std::fabs(v) < static_cast<long double>(
                           std::is_same_v<T, _Float16>
                               ? 6.103515625e-05L
                               : static_cast<long double>(std::numeric_limits<Work<T>>::min()));
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
           static_cast<T>(
               std::ldexp(static_cast<Work<T>>(get<T>(r, ip->a)), static_cast<int>(r[ip->b]))));
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
