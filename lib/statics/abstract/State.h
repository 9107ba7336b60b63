// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract state: what is known about all variables and cells at one place of the program.
//
// A reduced product of
//   numbers    a progression for each variable (absent: any value); of an address: its offset
//   bases      the objects an address may point into (absent: any object that is known outside)
//   relations  zones, octagons, both or none, over variables whose values do not wrap
// and of what is known about memory: which objects have not been written at all (`fresh`).
//
// Guarantee: over-approximates. Values that a program reads from memory that was never written are
// not covered after the places of such memory were joined with written ones.
#ifndef FATHOM_STATICS_ABSTRACT_STATE_H
#define FATHOM_STATICS_ABSTRACT_STATE_H

#include "statics/abstract/Cells.h"
#include "statics/abstract/PersistentMap.h"
#include "statics/abstract/Progression.h"
#include "statics/abstract/RelationSet.h"

#include "llvm/ADT/BitVector.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::statics::abstract {

enum class DomainKind : uint8_t { Intervals, Zones, Octagons, Product };

/// The null pointer, and addresses made from other numbers, as objects of a set of bases.
inline constexpr ObjectId kNull = kNoId - 1, kAbsolute = kNoId - 2;
using Bases = std::vector<ObjectId>; ///< sorted, without duplicates

/// Data that all states of one analysis share.
struct Domain {
  Cells &cells;
  DomainKind kind = DomainKind::Zones;
  size_t mostBases = 16;
};

/// The part of a state that a call can read or change. The rest stays with the caller.
struct Boundary {
  llvm::BitVector objects;        ///< their cells; constant and escaped objects are inside anyway
  llvm::BitVector sizes;          ///< of these objects
  std::vector<VarId> variables{}; ///< and these, ascending
  /// Addresses that may be of these objects are unknown inside; nullptr: none are hidden.
  const llvm::BitVector *hidden = nullptr;
  bool contains(VarId var, const Cells &cells) const;
};

/// The abstract value of one variable.
struct Value {
  Progression number = Progression::top(64);
  std::optional<Bases> bases; ///< addresses; absent: any
};

class State {
public:
  explicit State(Domain &domain);
  static State bottom(Domain &domain);

  bool isBottom() const { return bottom_; }
  void setBottom();

  // Variables.
  Progression number(VarId var) const;
  Progression number(const Operand &operand) const;
  const Bases *bases(VarId var) const { return bases_.find(var); }
  Value value(const Operand &operand, bool isAddress) const;
  Range range(VarId var) const;
  void setNumber(VarId var, const Progression &number); ///< and forgets its relations
  void setValue(VarId var, const Value &value);
  void meetNumber(VarId var, const Progression &number);
  void setBases(VarId var, std::optional<Bases> bases);
  void forget(VarId var);
  /// dst = src + offset as signed numbers, which must be exact; keeps relations. Not for bases.
  void assignShifted(VarId dst, VarId src, int64_t offset, const Progression &result);
  /// dst = src, everything that is known.
  void copy(VarId dst, const Operand &src, bool isAddress);
  /// signX * x + signY * y <= bound, in the integers.
  void constrain(const PairBound &bound);
  const RelationSet &relations() const { return relations_; }

  // Conditions: keeps the states that may satisfy it.
  void assume(const Condition &condition);

  // Lattice.
  void join(const State &other);
  void widen(const State &next, const std::vector<int64_t> &thresholds);
  bool isSubsetOf(const State &other) const;

  // Memory that was never written.
  void setFresh(ObjectId object, bool isFresh);
  void setWritten(VarId cell) { written_.set(cell, true); }
  /// Nothing was ever stored there.
  bool isUnborn(VarId var) const;
  void dropObject(ObjectId object);
  /// Everything in the objects that code outside may write becomes unknown.
  void loseEscaped(const llvm::BitVector &escaped);

  // Calls: what of a state is inside of a boundary goes to the callee, and comes back from it.
  void keepInside(const Boundary &boundary);
  /// Takes the part outside of the boundary from `from`; relations across the boundary are dropped.
  void takeOutside(const State &from, const Boundary &boundary);

  Domain &domain() const { return *domain_; }
  RangeOf ranges() const {
    return [this](VarId var) { return range(var); };
  }
  template <class Visit> void forEachNumber(Visit visit) const { numbers_.forEach(visit); }

  PersistentMap<bool> unmade; ///< heap objects that no call has made yet: no pointer to them exists

private:
  enum class Merge : uint8_t { Join, Widen };
  void merge(const State &other, Merge how, const std::vector<int64_t> &thresholds);
  void assumeAddresses(const Condition &c);
  void assumeNumbers(Predicate predicate, const Operand &a, const Operand &b);
  void relate(Predicate predicate, const Operand &a, const Operand &b);
  /// Brings what the relations say about the variable and its neighbours into the progressions.
  void reduce(VarId var);
  bool tightenOnce(VarId var);
  void forgetRelations(VarId var);
  bool mayRelate(VarId var) const;

  Domain *domain_;
  bool bottom_ = false;
  PersistentMap<Progression> numbers_;
  PersistentMap<Bases> bases_;
  PersistentMap<bool> fresh_;   ///< objects that were never written
  PersistentMap<bool> written_; ///< cells in those that were written nevertheless
  RelationSet relations_;
};

} // namespace fathom::statics::abstract
#endif
