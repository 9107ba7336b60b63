// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of byte values: the domain of an input byte.
#ifndef FATHOM_SOLVER_BYTESET_H
#define FATHOM_SOLVER_BYTESET_H

#include "expr/BatchEvaluator.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>

namespace fathom::solver {

struct ByteSet {
  std::array<uint64_t, 4> words{};
  static ByteSet all() { return {{~uint64_t(0), ~uint64_t(0), ~uint64_t(0), ~uint64_t(0)}}; }
  bool has(unsigned v) const { return words[v >> 6] >> (v & 63) & 1; }
  void add(unsigned v) { words[v >> 6] |= uint64_t(1) << (v & 63); }
  bool empty() const { return !(words[0] | words[1] | words[2] | words[3]); }
  unsigned size() const {
    unsigned n = 0;
    for (uint64_t w : words) n += static_cast<unsigned>(std::popcount(w));
    return n;
  }
  /// The least member; not empty.
  unsigned first() const {
    for (unsigned i = 0; i < 4; ++i)
      if (words[i]) return i * 64 + static_cast<unsigned>(std::countr_zero(words[i]));
    assert(false && "first of the empty set");
    return 0;
  }
  /// In ascending order.
  template <typename F> void forEach(F f) const {
    for (unsigned i = 0; i < 4; ++i)
      for (uint64_t bits = words[i]; bits; bits &= bits - 1)
        f(static_cast<uint8_t>(i * 64 + static_cast<unsigned>(std::countr_zero(bits))));
  }
  ByteSet &operator&=(const ByteSet &o) {
    for (unsigned i = 0; i < 4; ++i) words[i] &= o.words[i];
    return *this;
  }
  bool operator==(const ByteSet &) const = default;
};

/// Where a width-1 term that depends on this byte alone holds; all 256 values at once. Nothing if
/// `batch` does not support the term, or where it has external operations that take seconds.
std::optional<ByteSet> valuesWhere(expr::ExprPtr term, expr::ExprPtr symbol, uint64_t index,
                                   expr::BatchEvaluator &batch);

} // namespace fathom::solver
#endif
