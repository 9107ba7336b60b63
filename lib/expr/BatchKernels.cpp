// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop per operation and lane type. Everything down to runAny is a template that is forced
// inline into one function per instruction set, so that the same loops are compiled for each.
#include "expr/BatchKernels.h"

#include "expr/FloatFold.h"

#include <algorithm>
#include <type_traits>

#define FATHOM_INLINE [[gnu::always_inline]] inline

namespace fathom::expr {

namespace {

using Instruction = LaneInstruction;

template <typename T> FATHOM_INLINE T *slot(std::byte *buffer, uint32_t offset) {
  return reinterpret_cast<T *>(buffer + offset);
}

template <typename Out, typename T, typename F>
FATHOM_INLINE void map(const Instruction &i, std::byte *m, unsigned n, F f) {
  Out *__restrict out = slot<Out>(m, i.out);
  const T *a = slot<T>(m, i.a);
  for (unsigned l = 0; l < n; ++l) out[l] = f(a[l]);
}

template <typename Out, typename T, typename F>
FATHOM_INLINE void zip(const Instruction &i, std::byte *m, unsigned n, F f) {
  Out *__restrict out = slot<Out>(m, i.out);
  const T *a = slot<T>(m, i.a);
  if (i.hasImmediate) {
    const T k = static_cast<T>(i.immediate);
    for (unsigned l = 0; l < n; ++l) out[l] = f(a[l], k);
  } else {
    const T *b = slot<T>(m, i.b);
    for (unsigned l = 0; l < n; ++l) out[l] = f(a[l], b[l]);
  }
}

/// Bits between the width of the operands and that of their lanes.
template <typename T> FATHOM_INLINE unsigned spare(const Instruction &i) {
  return sizeof(T) * 8 - i.width;
}

template <typename T> FATHOM_INLINE T lowBits(unsigned width) {
  return static_cast<T>(static_cast<T>(~T(0)) >> (sizeof(T) * 8 - width));
}

template <typename T> struct SignedOf {
  using Type = std::make_signed_t<T>;
};
template <> struct SignedOf<Uint128> {
  using Type = __int128;
};

/// Signed operations work on values moved up to the top of their lanes.
template <typename T> FATHOM_INLINE typename SignedOf<T>::Type atTop(T v, unsigned spare) {
  return static_cast<typename SignedOf<T>::Type>(static_cast<T>(v << spare));
}

/// SDiv or SRem.
template <typename T> FATHOM_INLINE T signedDivision(bool remainder, T a, T b, unsigned up) {
  const auto x = atTop(a, up) >> up, y = atTop(b, up) >> up;
  if (y == 0) return remainder ? a : x < 0 ? T(1) : T(~T(0));
  if (y == -1) return remainder ? T(0) : T(0 - a); // the least value / -1 traps on the host
  return remainder ? T(x % y) : T(x / y);
}

template <typename T> FATHOM_INLINE void runBinary(const Instruction &i, std::byte *m, unsigned n) {
  const T mask = lowBits<T>(i.outWidth);
  const unsigned up = spare<T>(i);
  constexpr T kBits = sizeof(T) * 8;
  switch (i.kind) {
  case Kind::And: return zip<T, T>(i, m, n, [](T a, T b) { return T(a & b); });
  case Kind::Or: return zip<T, T>(i, m, n, [](T a, T b) { return T(a | b); });
  case Kind::Xor: return zip<T, T>(i, m, n, [](T a, T b) { return T(a ^ b); });
  case Kind::Add: return zip<T, T>(i, m, n, [=](T a, T b) { return T((a + b) & mask); });
  case Kind::Sub: return zip<T, T>(i, m, n, [=](T a, T b) { return T((a - b) & mask); });
  case Kind::Mul: return zip<T, T>(i, m, n, [=](T a, T b) { return T((a * b) & mask); });
  // Shifting by the lane's width or more is undefined here and 0 there.
  case Kind::Shl:
    return zip<T, T>(i, m, n,
                     [=](T a, T b) { return b < kBits ? T((a << (b % kBits)) & mask) : T(0); });
  case Kind::LShr:
    return zip<T, T>(i, m, n, [=](T a, T b) { return b < kBits ? T(a >> (b % kBits)) : T(0); });
  case Kind::AShr:
    return zip<T, T>(i, m, n, [=](T a, T b) {
      auto s = atTop(a, up) >> up;
      return T(T(s >> std::min<T>(b, kBits - 1)) & mask);
    });
  case Kind::Eq: return zip<uint8_t, T>(i, m, n, [](T a, T b) { return uint8_t(a == b); });
  case Kind::Ult: return zip<uint8_t, T>(i, m, n, [](T a, T b) { return uint8_t(a < b); });
  case Kind::Ule: return zip<uint8_t, T>(i, m, n, [](T a, T b) { return uint8_t(a <= b); });
  case Kind::Slt:
    return zip<uint8_t, T>(i, m, n, [=](T a, T b) { return uint8_t(atTop(a, up) < atTop(b, up)); });
  case Kind::Sle:
    return zip<uint8_t, T>(i, m, n,
                           [=](T a, T b) { return uint8_t(atTop(a, up) <= atTop(b, up)); });
  // No machine has vectors of these: one by one.
  case Kind::UDiv: return zip<T, T>(i, m, n, [=](T a, T b) { return b ? T(a / b) : mask; });
  case Kind::URem: return zip<T, T>(i, m, n, [](T a, T b) { return b ? T(a % b) : a; });
  case Kind::SDiv:
  case Kind::SRem: {
    const bool remainder = i.kind == Kind::SRem;
    return zip<T, T>(i, m, n,
                     [=](T a, T b) { return T(signedDivision<T>(remainder, a, b, up) & mask); });
  }
  default: return;
  }
}

template <typename T> FATHOM_INLINE void runIte(const Instruction &i, std::byte *m, unsigned n) {
  T *__restrict out = slot<T>(m, i.out);
  const uint8_t *a = slot<uint8_t>(m, i.a);
  const T *b = slot<T>(m, i.b), *c = slot<T>(m, i.c);
  for (unsigned l = 0; l < n; ++l) out[l] = a[l] ? b[l] : c[l];
}

template <typename T> FATHOM_INLINE void runTable(const Instruction &i, std::byte *m, unsigned n) {
  const uint8_t *table = i.table->contents.data();
  const uint64_t size = i.table->contents.size();
  map<uint8_t, T>(i, m, n, [=](T a) { return a < size ? table[a] : uint8_t(0); });
}

template <typename From, typename To>
FATHOM_INLINE void runResize(const Instruction &i, std::byte *m, unsigned n) {
  switch (i.kind) {
  case Kind::ZExt: return map<To, From>(i, m, n, [](From a) { return To(a); });
  case Kind::SExt: {
    const To sign = static_cast<To>(To(1) << (i.width - 1)), mask = lowBits<To>(i.outWidth);
    return map<To, From>(i, m, n, [=](From a) { return To(((To(a) ^ sign) - sign) & mask); });
  }
  case Kind::Extract: {
    const unsigned shift = i.shift;
    const To mask = lowBits<To>(i.outWidth);
    return map<To, From>(i, m, n, [=](From a) { return To(To(a >> shift) & mask); });
  }
  default: return;
  }
}

template <typename T> FATHOM_INLINE void runFrom(const Instruction &i, std::byte *m, unsigned n) {
  switch (i.kind) {
  case Kind::ZExt:
  case Kind::SExt:
  case Kind::Extract:
    switch (i.to) {
    case LaneType::U8: return runResize<T, uint8_t>(i, m, n);
    case LaneType::U32: return runResize<T, uint32_t>(i, m, n);
    case LaneType::U64: return runResize<T, uint64_t>(i, m, n);
    case LaneType::U128: return runResize<T, Uint128>(i, m, n);
    }
    return;
  case Kind::Not: {
    const T mask = lowBits<T>(i.outWidth);
    return map<T, T>(i, m, n, [=](T a) { return T(~a & mask); });
  }
  case Kind::Concat: {
    const unsigned shift = i.shift;
    return zip<T, T>(i, m, n, [=](T a, T b) { return T(T(a << shift) | b); });
  }
  case Kind::Ite: return runIte<T>(i, m, n);
  case Kind::Read: return runTable<T>(i, m, n);
  default: return runBinary<T>(i, m, n);
  }
}

/// One lane after the other: what these cost is the arithmetic, and the care for NaNs.
[[gnu::noinline]] void runFloat(const Instruction &i, std::byte *m, unsigned n) {
  const FloatOperation operation{i.kind, static_cast<Rounding>(i.shift), i.outWidth, i.width};
  withLaneType(i.from, [&](auto from) {
    withLaneType(i.to, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      if constexpr (sizeof(From) <= 8 && sizeof(To) <= 8) {
        const From *a = slot<From>(m, i.a), *b = slot<From>(m, i.b), *c = slot<From>(m, i.c);
        To *out = slot<To>(m, i.out);
        for (unsigned l = 0; l < n; ++l)
          out[l] = static_cast<To>(foldFloat(operation, a[l], b[l], c[l]));
      }
    });
  });
}

FATHOM_INLINE void runAny(std::span<const Instruction> code, std::byte *m, unsigned lanes) {
  const unsigned n = std::min((lanes + kLaneBlock - 1) / kLaneBlock, kBatchLanes / kLaneBlock);
  for (const Instruction &i : code) {
    if (isFloatKind(i.kind)) {
      runFloat(i, m, n * kLaneBlock);
      continue;
    }
    switch (i.from) {
    case LaneType::U8: runFrom<uint8_t>(i, m, n * kLaneBlock); break;
    case LaneType::U32: runFrom<uint32_t>(i, m, n * kLaneBlock); break;
    case LaneType::U64: runFrom<uint64_t>(i, m, n * kLaneBlock); break;
    case LaneType::U128: runFrom<Uint128>(i, m, n * kLaneBlock); break;
    }
  }
}

using Runner = void (*)(std::span<const Instruction>, std::byte *, unsigned);

void runPortable(std::span<const Instruction> code, std::byte *m, unsigned lanes) {
  runAny(code, m, lanes);
}

#if defined(__x86_64__)
[[gnu::target("avx2,bmi,bmi2")]]
void runAvx2(std::span<const Instruction> code, std::byte *m, unsigned lanes) {
  runAny(code, m, lanes);
}
Runner bestRunner() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? runAvx2 : runPortable;
}
#else
Runner bestRunner() { return runPortable; }
#endif

} // namespace

void runLanes(std::span<const LaneInstruction> code, std::byte *buffer, unsigned lanes,
              LaneKernels kernels) {
  static const Runner best = bestRunner();
  (kernels == LaneKernels::Best ? best : runPortable)(code, buffer, lanes);
}

unsigned laneCost(const LaneInstruction &i) {
  const LaneType widest = std::max(i.from, i.to);
  const unsigned bytes = widest == LaneType::U128 ? 64 : laneBytes(widest);
  switch (i.kind) {
  case Kind::UDiv:
  case Kind::URem:
  case Kind::SDiv:
  case Kind::SRem: return 20 * bytes;
  case Kind::Read: return 20;
  case Kind::Mul: return 2 * bytes;
  default: return isFloatKind(i.kind) ? 500 : bytes;
  }
}

} // namespace fathom::expr
