// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions for a hole: all that a small grammar has, up to a depth, without those that say the
// same.
//
//   number     a constant | a variable | number (+ - * / %) number
//   condition  0 | 1 | a truth | number (< <= > >= == !=) number | condition (&& ||) condition
//
// Bottom up, by depth, then by size. Two expressions that have the same value in all states seen
// are one class (observational equivalence), and only its first is part of larger expressions: this
// covers x + 0, x * 1, x - x and so on. Of a pair of operands that commute, and of a < b and b > a,
// one order is tried. What combines constants only is left out: it would be one more constant. So
// is what is undefined in a state (a division by zero).
//
// States that were seen are not all there are. So a class keeps some more of its expressions: if
// the first passes the tests, they are worth a look of their own.
#ifndef FATHOM_REPAIR_ENUMERATE_H
#define FATHOM_REPAIR_ENUMERATE_H

#include "psp/Condition.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::repair {

struct Grammar {
  size_t variables = 0; ///< numbers: ids 0, 1, ...
  size_t truths = 0;    ///< conditions that are leaves: the ids after those
  std::vector<int64_t> constants;
  std::vector<psp::State> states; ///< at least one; each binds all variables
  unsigned mostDepth = 4;         ///< of a leaf: 1
  size_t mostClasses = 4'000;     ///< of each type; beyond, numbers are no operands of conditions
  uint64_t mostTried = 400'000;   ///< expressions looked at
  size_t mostOthers = 12;         ///< kept of a class, beside its first
};

struct Candidate {
  psp::Condition formula = psp::Condition::number(0);
  unsigned depth = 1, size = 1; ///< size: leaves and operations
};

struct CandidateClass {
  Candidate first;
  std::vector<Candidate> others;
  uint64_t leftOut = 0; ///< further expressions of the class
};

enum class Goal : uint8_t { Number, Condition };

struct Enumeration {
  std::vector<CandidateClass> classes; ///< by depth, then size
  uint64_t tried = 0;                  ///< expressions looked at
  /// Depth up to which nothing was left out; below mostDepth when a bound cut.
  unsigned completeDepth = 0;
};

/// REQUIRES at least one state. \param stop  asked now and then. Cost: O(mostTried * states).
/// Determinism: the same grammar gives the same classes in the same order.
Enumeration enumerate(const Grammar &grammar, Goal goal,
                      const std::function<bool()> &stop = nullptr);

} // namespace fathom::repair
#endif
