// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random number generator that is passed to everything that makes random choices: PCG-XSH-RR
// 64/32 (M. O'Neill, 2014), so that a seed gives the same run on every machine and standard
// library.
#ifndef FATHOM_SUPPORT_RNG_H
#define FATHOM_SUPPORT_RNG_H

#include <cstdint>

namespace fathom {

class Rng {
public:
  explicit Rng(uint64_t seed, uint64_t stream = 1) : inc_((stream << 1) | 1) {
    next();
    state_ += seed;
    next();
  }
  uint32_t next() {
    uint64_t old = state_;
    state_ = old * 6364136223846793005ull + inc_;
    auto xorShifted = static_cast<uint32_t>(((old >> 18u) ^ old) >> 27u);
    auto rot = static_cast<uint32_t>(old >> 59u);
    return (xorShifted >> rot) | (xorShifted << ((-rot) & 31));
  }
  /// Uniform in [0, bound); bound > 0. Lemire's multiply-shift with rejection.
  uint32_t below(uint32_t bound) {
    uint64_t m = uint64_t(next()) * bound;
    if (static_cast<uint32_t>(m) < bound) {
      uint32_t threshold = -bound % bound;
      while (static_cast<uint32_t>(m) < threshold) m = uint64_t(next()) * bound;
    }
    return static_cast<uint32_t>(m >> 32);
  }
  bool flip() { return next() & 1; }

private:
  uint64_t state_ = 0;
  uint64_t inc_;
};

} // namespace fathom
#endif
