// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the branches on a way through a function say about its values: enough to see that two
// branches on the same flag, or on the same pointer, go the same way.
#ifndef FATHOM_STATICS_CHECKERS_CONDITIONS_H
#define FATHOM_STATICS_CHECKERS_CONDITIONS_H

#include "statics/checkers/ValueNumbers.h"

#include <optional>
#include <tuple>

namespace fathom::statics {

/// A conjunction of what is known of single values and of pairs of them.
class Known {
public:
  /// False when this contradicts what is known: then *this is not to be used any more.
  bool assume(ValueNumbers &numbers, const Facts &facts, ValueId condition, bool holds);
  bool assumeNumber(ValueId leader, int64_t number, bool equal);
  bool assumeAtLeast(ValueId leader, int64_t number); ///< as a signed number
  bool mentions(ValueId leader) const;
  std::optional<int64_t> onlyNumber(ValueId leader) const; ///< if there is one that it must be
  /// The phi is this operand: control came from the operand's block.
  void assumeIs(ValueId phi, ValueId operand);
  void forget(ValueId leader);
  /// Forgets everything that the block changes.
  void enter(ValueNumbers &numbers, BlockId block);
  bool operator<(const Known &other) const {
    return std::tie(ranges_, pairs_, phis_) < std::tie(other.ranges_, other.pairs_, other.phis_);
  }

private:
  struct Range {
    int64_t low = INT64_MIN, high = INT64_MAX;
    std::vector<int64_t> not_{}; ///< ascending
    bool operator<(const Range &other) const {
      return std::tie(low, high, not_) < std::tie(other.low, other.high, other.not_);
    }
  };
  bool assumeOrder(ValueId leader, Predicate predicate, bool isSigned, int64_t number);
  static bool shrink(Range &range);
  bool assumePair(ValueId left, Predicate predicate, bool isSigned, ValueId right);

  using Pair = std::tuple<ValueId, ValueId, bool>;
  Range &rangeOf(ValueId leader);
  uint8_t &allowedOf(const Pair &pair);

  // Ascending: they are copied all the time, and short.
  std::vector<std::pair<ValueId, Range>> ranges_;
  std::vector<std::pair<Pair, uint8_t>> pairs_;   ///< less 1, equal 2, greater 4
  std::vector<std::pair<ValueId, ValueId>> phis_; ///< each with the operand that it is
};

/// The number that the value is, if it is a constant; null is 0.
std::optional<int64_t> numberOf(const Facts &facts, ValueId value);

/// Leaders of the values that decide a condition.
std::vector<ValueId> decidingValues(ValueNumbers &numbers, const Facts &facts, ValueId condition);

} // namespace fathom::statics
#endif
