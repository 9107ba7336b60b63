// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrapped intervals with congruences: the abstract domain of a single integer of a fixed width.
//
// A progression is the set {start + k * stride mod 2^width : 0 <= k <= steps}. It lives on the
// circle of numbers modulo 2^width, so that addition and subtraction need no case for overflow, and
// the same value serves signed and unsigned operations: those cut the circle where their order
// begins ([wrapped12] Sec. 3; strides as in [clp07] Sec. 3). A progression never goes round:
// stride * steps < 2^width.
//
// Guarantee: every operation over-approximates the operation on all members (checked exhaustively
// at small widths). The order is by inclusion; joins are minimal among the two ways round the
// circle, but not associative. Cost: O(1), shifts O(width).
#ifndef FATHOM_STATICS_ABSTRACT_PROGRESSION_H
#define FATHOM_STATICS_ABSTRACT_PROGRESSION_H

#include "statics/abstract/Program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom::statics::abstract {

using Wide = __int128;
using UWide = unsigned __int128;

/// The greatest common divisor; gcd(x, 0) is x. (std::gcd does not take 128 bits.)
constexpr UWide gcd(UWide a, UWide b) {
  while (b) {
    const UWide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// A stretch of a progression that an order does not cut: lo, lo + stride, ..., hi, as numbers.
struct Stretch {
  Wide lo = 0, hi = 0;
  UWide stride = 0; ///< 0 exactly if lo == hi
};

class Progression {
public:
  /// \param width  bits, 1 to 64
  static Progression top(unsigned width);
  static Progression none(unsigned width); ///< the empty set
  static Progression of(unsigned width, uint64_t value);
  /// The numbers of the stretch, modulo 2^width.
  static Progression of(unsigned width, const Stretch &stretch);
  /// lo..hi as unsigned numbers, going round if lo > hi.
  static Progression between(unsigned width, uint64_t lo, uint64_t hi);

  unsigned width() const { return width_; }
  bool isNone() const { return none_; }
  bool isTop() const;
  /// The only member.
  std::optional<uint64_t> single() const;
  uint64_t start() const { return start_; }
  uint64_t stride() const { return stride_; }
  uint64_t steps() const { return steps_; }
  bool contains(uint64_t value) const;
  bool isSubsetOf(const Progression &other) const;
  bool operator==(const Progression &) const = default;

  /// Least and greatest member in the order; not for the empty set.
  Wide min(bool isSigned) const;
  Wide max(bool isSigned) const;
  /// At most two, in ascending order; none for the empty set.
  std::vector<Stretch> stretches(bool isSigned) const;
  /// The members, if they are at most `most`.
  std::optional<std::vector<uint64_t>> members(uint64_t most) const;

  Progression join(const Progression &other) const;
  Progression meet(const Progression &other) const;
  /// Grows bounds that grew to the next threshold (ascending, as signed numbers), finally to top.
  Progression widen(const Progression &next, const std::vector<int64_t> &thresholds) const;

  /// "5", "[0, 10]", "[0, 96] step 4", "any", "none"; a set across the signed order's ends but not
  /// the unsigned one's is shown unsigned.
  std::string text() const;

private:
  Progression() = default;
  uint64_t mask() const { return width_ == 64 ? ~uint64_t(0) : (uint64_t(1) << width_) - 1; }
  UWide span() const { return UWide(stride_) * steps_; }
  bool coversResidue() const; ///< every number that is congruent to start modulo stride

  uint64_t start_ = 0, stride_ = 0, steps_ = 0;
  uint8_t width_ = 1;
  bool none_ = false;
};

/// a OP b. Division by zero has no result; a shift by the width or more has any.
Progression apply(Binary op, const Progression &a, const Progression &b);
Progression applyCast(Cast op, const Progression &a, unsigned width);

/// Those members of a for which `a PREDICATE b` holds with some member of b.
Progression refine(Predicate predicate, const Progression &a, const Progression &b);
/// Whether the comparison holds for all members, or for none.
std::optional<bool> decide(Predicate predicate, const Progression &a, const Progression &b);

} // namespace fathom::statics::abstract
#endif
