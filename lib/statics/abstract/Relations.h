// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of relational domains: constraints between two variables, in the integers.
//
// A variable here is its value as a *signed* number. The caller makes sure that an assignment or
// constraint means the same in the integers as modulo 2^width (State.h asks the ranges first), so a
// relational domain need not know about wrapping. Ranges of single variables live in the
// progressions; a domain gets them where they make it more exact, and gives back those that follow
// from its constraints: a reduced product.
#ifndef FATHOM_STATICS_ABSTRACT_RELATIONS_H
#define FATHOM_STATICS_ABSTRACT_RELATIONS_H

#include "statics/abstract/Program.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::statics::abstract {

/// Least and greatest value as a signed number.
struct Range {
  __int128 lo = 0, hi = 0;
};
using RangeOf = std::function<Range(VarId)>;

/// x * signX + y * signY <= bound; signs are 1 or -1, x and y differ.
struct PairBound {
  VarId x = kNoId, y = kNoId;
  int signX = 1, signY = -1;
  int64_t bound = 0;
};

/// Guarantee: over-approximates. Every operation may drop constraints.
class Relations {
public:
  virtual ~Relations() = default;
  virtual std::unique_ptr<Relations> clone() const = 0;

  virtual void forget(VarId var) = 0;
  /// dst = src + offset, exactly; dst may be src.
  virtual void assign(VarId dst, VarId src, int64_t offset) = 0;
  /// Returns false if nothing satisfies all constraints.
  virtual bool constrain(const PairBound &bound, const RangeOf &ranges) = 0;

  /// The least known upper bound of signX * x + signY * y from the constraints alone.
  virtual std::optional<int64_t> upperBound(const PairBound &of) const = 0;
  /// Every variable with a constraint, of this id or a greater one.
  virtual void forEachVariable(VarId first, const std::function<void(VarId)> &visit) const = 0;
  /// Adds constraints that hold as well, on other variables than these. May leave them out.
  virtual void add(const Relations &) {}
  /// Variables with a constraint on them and `var`.
  virtual std::vector<VarId> neighbours(VarId var) const = 0;
  /// What the constraints and the neighbours' ranges say about the variable.
  virtual Range tighten(VarId var, const Range &now, const RangeOf &ranges) const = 0;

  /// This and `other` are of one class.
  virtual void join(const Relations &other, const RangeOf &mine, const RangeOf &others) = 0;
  /// This is the older state. Ends: a chain of widenings changes finitely often.
  virtual void widen(const Relations &next, const RangeOf &nexts) = 0;
  /// Does every state of `other` satisfy these constraints?
  virtual bool includes(const Relations &other, const RangeOf &others) const = 0;

  /// Each constraint as text, with names from the function.
  virtual std::vector<std::string> text(const std::function<std::string(VarId)> &name) const = 0;
};

std::unique_ptr<Relations> makeZones();
std::unique_ptr<Relations> makeOctagons();

} // namespace fathom::statics::abstract
#endif
