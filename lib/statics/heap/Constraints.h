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
  struct Bounds {
    int64_t low = INT64_MIN, high = INT64_MAX;
  };
  /// Numbers between which the term is, also by way of sums, products, casts and of one other term
  /// that it was compared with. INT64_MIN, INT64_MAX: nothing bounds it there, whatever its type
  /// says.
  Bounds boundsOf(const Terms &terms, TermId term) const {
    return boundsOf(terms, term, /*byBranches=*/false, 0);
  }
  /// The same, by what branches of the path say alone: the program takes it to be possible that the
  /// term comes to these. What else is known may hang together with other terms, and only excludes.
  Bounds branchBoundsOf(const Terms &terms, TermId term) const {
    return boundsOf(terms, term, /*byBranches=*/true, 0);
  }
  /// What they say that is not known yet, as if branches said it. byAccess: as of assume.
  void assumeBounds(Terms &terms, TermId term, const Bounds &bounds, bool byAccess);
  /// What is known otherwise of a symbol.
  void addFact(const Terms &terms, TermId symbol, const Bounds &bounds);
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
  /// Leaves the conditions alone, with other numbers of their terms: nothing can be asked any more.
  void reduce(const std::vector<TermId> &moved) {
    for (Atom &atom : atoms_) atom.condition = moved[atom.condition];
    std::vector<Range>().swap(ranges_);
    std::vector<Pair>().swap(pairs_);
  }

private:
  static constexpr unsigned kMaxDepth = 6; ///< of terms that are looked into
  struct Range {
    TermId term;
    int64_t low = INT64_MIN, high = INT64_MAX;
    bool isLowFact = false, isHighFact = false; ///< no branch says so
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
  bool allowsWidened(const Terms &terms, TermId term, int64_t number) const;
  bool takeQuotient(Terms &terms, TermId term, Predicate predicate, bool isSigned, int64_t number);
  bool takePair(Terms &terms, TermId a, TermId b, Predicate predicate, bool isSigned);
  bool takeEqual(Terms &terms, TermId term, int64_t number);
  bool takeMasked(const Terms &terms, TermId term, int64_t number);
  std::optional<int64_t> maskedOf(const Terms &terms, TermId term) const;
  static Bounds firstBoundsOf(const Terms &terms, TermId term, bool byBranches);
  static Range firstRangeOf(const Terms &terms, TermId term);
  Range &rangeOf(const Terms &terms, TermId term);
  const Range *findRange(TermId term) const;
  static bool shrink(Range &range);
  static bool isLeft(const Terms &terms, TermId term, const Range &range);
  static bool shrinkBy(Range &range, Predicate predicate, bool isSigned, int64_t number);
  struct Hull {
    TermId term;
    Bounds bounds, told;
    ExcludedNumbers excluded{};
  };
  Bounds toldOf(const Terms &terms, TermId term) const;
  Hull hullOf(const Terms &terms, const Range &mine, const Constraints &other,
              const Range &theirs) const;
  bool takeOperand(Terms &terms, TermId term, const Range &range);
  TermId simplified(Terms &terms, TermId term, unsigned depth) const;
  Bounds boundsOf(const Terms &terms, TermId term, bool byBranches, unsigned depth) const;

  std::vector<Atom> atoms_;
  std::vector<Range> ranges_; ///< ascending by term
  std::vector<Pair> pairs_;
};

} // namespace fathom::statics::heap
#endif
