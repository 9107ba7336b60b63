// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the branches of a path say of its terms: a conjunction, with a cheap test whether it
// contradicts itself. Incomplete: a conjunction that no execution fulfils may pass.
#ifndef FATHOM_STATICS_HEAP_CONSTRAINTS_H
#define FATHOM_STATICS_HEAP_CONSTRAINTS_H

#include "statics/heap/ExcludedNumbers.h"
#include "statics/heap/Terms.h"

#include <vector>

namespace fathom::statics::heap {

/// A truth value that holds, and the statement that says so: a branch, a selection, a call.
struct Atom {
  TermId condition;
  StatementId at = kNone;
  /// Something was accessed through a pointer, which therefore was not null.
  bool byAccess = false;
  bool operator==(const Atom &other) const { return condition == other.condition; }
};

class Constraints {
public:
  /// Adds that the condition holds. False: it contradicts what is known; then *this is not to be
  /// used any more. Cost: linear in the number of atoms that share its terms.
  bool assume(Terms &terms, TermId condition, StatementId at, bool byAccess = false);
  /// What is known of the condition; nullopt: neither.
  std::optional<bool> decides(Terms &terms, TermId condition) const;
  /// The number that the term must be; nullopt: several are left.
  std::optional<int64_t> numberOf(const Terms &terms, TermId term) const;
  bool isNull(const Terms &terms, TermId term) const { return numberOf(terms, term) == 0; }
  /// Cannot be null.
  bool isNotNull(Terms &terms, TermId term) const;
  /// Numbers between which the branches of the path leave the term, also by way of sums, products,
  /// casts and of one other term that it was compared with. INT64_MIN, INT64_MAX: no branch bounds
  /// it there, whatever its type says.
  struct Bounds {
    int64_t low = INT64_MIN, high = INT64_MAX;
  };
  Bounds boundsOf(const Terms &terms, TermId term) const { return boundsOf(terms, term, 0); }
  /// What they say that is not known yet. byAccess: as of assume.
  void assumeBounds(Terms &terms, TermId term, const Bounds &bounds, bool byAccess);
  /// Orders in which the two may stand, as numbers with a sign; kAnyOrder: no branch compares them.
  uint8_t ordersOf(TermId a, TermId b) const;
  /// Does every condition of the path that the number decides hold, if the term is that number?
  /// Looks at conditions that are computed from the term, too.
  bool allows(Terms &terms, TermId term, int64_t number, uint8_t bits) const;
  /// With what is known to be one number replaced by it.
  TermId simplified(Terms &terms, TermId term) const;

  /// In the order in which they were added.
  const std::vector<Atom> &atoms() const { return atoms_; }
  /// Leaves the atoms of which both have the same. False: nothing was left out.
  void keepCommon(Terms &terms, const Constraints &other);
  bool operator==(const Constraints &other) const { return atoms_ == other.atoms_; }

private:
  struct Range {
    TermId term;
    int64_t low = INT64_MIN, high = INT64_MAX;
    ExcludedNumbers excluded{};
    bool excludes(int64_t n) const { return n < low || n > high || excluded.contains(n); }
  };
  struct Pair {
    TermId a, b;
    uint8_t allowed[2] = {kAnyOrder, kAnyOrder}; ///< orders: unsigned, signed
  };
  bool take(Terms &terms, TermId condition);
  bool takeNumber(Terms &terms, TermId term, Predicate predicate, bool isSigned, int64_t number,
                  unsigned bits);
  bool takeQuotient(Terms &terms, TermId term, Predicate predicate, bool isSigned, int64_t number);
  bool takePair(TermId a, TermId b, Predicate predicate, bool isSigned);
  static Bounds firstBoundsOf(const Terms &terms, TermId term);
  static Range firstRangeOf(const Terms &terms, TermId term);
  Range &rangeOf(const Terms &terms, TermId term);
  const Range *findRange(TermId term) const;
  static bool shrink(Range &range);
  static bool isLeft(const Terms &terms, TermId term, const Range &range);
  static bool shrinkBy(Range &range, Predicate predicate, bool isSigned, int64_t number);
  static Range hullOf(const Range &a, const Range &b);
  bool takeOperand(Terms &terms, TermId term, const Range &range);
  TermId simplified(Terms &terms, TermId term, unsigned depth) const;
  Bounds boundsOf(const Terms &terms, TermId term, unsigned depth) const;

  std::vector<Atom> atoms_;
  std::vector<Range> ranges_; ///< ascending by term
  std::vector<Pair> pairs_;
};

} // namespace fathom::statics::heap
#endif
