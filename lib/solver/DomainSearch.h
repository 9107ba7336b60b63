// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exhaustive search for an assignment of a few bytes that satisfies a set of constraints, each byte
// from its own domain.
//
// The bytes are put in an order, one per *level*; a constraint is checked at the level of its last
// byte. A level takes a batch of up to 256 *parents*, assignments of the bytes before that satisfy
// what could be checked so far, and evaluates its constraints on parents x domain, 256 pairs at a
// time. What survives are the parents of the next level, which is gone into depth first. Of the
// terms at a level, those over its own byte alone are evaluated once per search, those over the
// bytes before once per batch of parents, and only those that tie the byte to earlier ones for
// every pair.
//
// Sat at the first assignment that satisfies everything, Unsat when none is left, GaveUp when the
// budget is spent, the deadline has passed, or a term is not supported (see BatchEvaluator). At
// worst O(product of the sizes of the domains x operations). Deterministic.
//
// Not all bytes that the constraints read need be given. An assignment that leaves a constraint
// unknown counts as one that may satisfy it; when only such are left the answer is Open, and the
// caller can find out which bytes it takes.
#ifndef FATHOM_SOLVER_DOMAINSEARCH_H
#define FATHOM_SOLVER_DOMAINSEARCH_H

#include "expr/Expr.h"
#include "solver/ByteSet.h"
#include "solver/Deadline.h"

#include <memory>
#include <span>
#include <vector>

namespace fathom::solver {

using expr::ExprPtr;

/// A byte to be assigned.
struct SearchByte {
  ExprPtr symbol;
  uint64_t index;
  ByteSet domain{};      ///< Not empty.
  uint8_t value = 0;     ///< Tried first if it is in the domain. Sat: the byte's value.
  bool isOfGoal = false; ///< Such bytes come first: a contradiction is found there if anywhere.
};

/// A constraint and the given bytes it depends on (bit i: bytes[i]).
struct SearchConstraint {
  ExprPtr term;
  uint32_t bytes;
};

class DomainSearch {
public:
  static constexpr unsigned kMaxBytes = 32;
  enum class Result { Sat, Unsat, Open, GaveUp };

  DomainSearch();
  ~DomainSearch();
  /// 1 to kMaxBytes bytes. `budget` is in units of expr::laneCost() per lane. `allGiven`: no byte
  /// that the constraints read is missing. It may come back tens of milliseconds after the
  /// deadline: a level is compiled to the end.
  Result run(std::span<SearchByte> bytes, std::span<const SearchConstraint> constraints,
             uint64_t budget, bool allGiven = true, const Deadline &deadline = {});
  /// What the last run spent of its budget.
  uint64_t spent() const { return spent_; }

private:
  struct Tuples;
  struct Level;
  void order(std::span<const SearchConstraint> constraints);
  void divide(std::span<const SearchConstraint> constraints);
  bool compile(Level &level);
  bool mustEnd();
  void tellSpent(); ///< to the clock, where it counts steps
  Result extend(unsigned at, const Tuples &parents);

  std::span<SearchByte> bytes_;
  std::vector<std::unique_ptr<Level>> levels_; // in use: one per byte; the rest keep their memory
  uint64_t budget_ = 0, spent_ = 0, told_ = 0;
  Deadline deadline_;
  uint64_t nextLook_ = 0; // at the clock: when so much is spent
  bool allGiven_ = true;
};

} // namespace fathom::solver
#endif
