// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The relational domains of a state, as one: each operation goes to all of them. Copies share
// domains that were not changed since.
#ifndef FATHOM_STATICS_ABSTRACT_RELATIONSET_H
#define FATHOM_STATICS_ABSTRACT_RELATIONSET_H

#include "statics/abstract/Relations.h"

namespace fathom::statics::abstract {

/// Two sets that meet have the same domains.
class RelationSet {
public:
  void addDomain(std::unique_ptr<Relations> domain) { domains_.push_back(std::move(domain)); }
  bool empty() const { return domains_.empty(); }

  void forget(VarId var);
  /// Forgets the variables from `first` on for which isGone(var) holds.
  void forgetIf(VarId first, const std::function<bool(VarId)> &isGone);
  /// dst = src + offset, exactly.
  void assign(VarId dst, VarId src, int64_t offset);
  /// Returns false if nothing satisfies all constraints.
  bool constrain(const PairBound &bound, const RangeOf &ranges);
  /// The least known upper bound of signX * x + signY * y.
  std::optional<int64_t> upperBound(const PairBound &of) const;
  std::vector<VarId> neighbours(VarId var) const;
  Range tighten(VarId var, Range now, const RangeOf &ranges) const;
  /// Adds constraints on other variables, which hold as well.
  void add(const RelationSet &other);

  void join(const RelationSet &other, const RangeOf &mine, const RangeOf &others);
  void widen(const RelationSet &next, const RangeOf &nexts);
  bool includes(const RelationSet &other, const RangeOf &others) const;
  /// Every relation as text.
  std::vector<std::string> text(const std::function<std::string(VarId)> &name) const;

private:
  /// The i-th domain, made exclusive to this set, so that it may be changed.
  Relations &own(size_t i);

  std::vector<std::shared_ptr<Relations>> domains_;
};

} // namespace fathom::statics::abstract
#endif
