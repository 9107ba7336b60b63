// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Join, widening, narrowing and inclusion of abstract states.
//
// A cell that one side never wrote has no value there (its object is fresh), so the other side's
// value is that of the result. Everything else that only one side knows is dropped.
#include "statics/abstract/State.h"

#include <algorithm>

namespace fathom::statics::abstract {

namespace {

Bases unionOf(const Bases &a, const Bases &b) {
  Bases out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

} // namespace

void State::join(const State &other) { merge(other, Merge::Join, {}); }

void State::widen(const State &next, const std::vector<int64_t> &thresholds) {
  merge(next, Merge::Widen, thresholds);
}

void State::merge(const State &other, Merge how, const std::vector<int64_t> &thresholds) {
  if (other.bottom_) return;
  if (bottom_) {
    *this = other;
    return;
  }
  // Relations first: they ask for the ranges of both sides. What has no value on one side has
  // relations on that side that hold for no reason, and none here.
  if (how == Merge::Join)
    relations_.join(other.relations_, ranges(), other.ranges());
  else
    relations_.widen(other.relations_, other.ranges());
  auto numbers = PersistentMap<Progression>::merge(
      numbers_, other.numbers_,
      [&](VarId, const Progression &a, const Progression &b) -> std::optional<Progression> {
        Progression out = how == Merge::Join ? a.join(b) : a.widen(b, thresholds);
        if (out.isTop()) return std::nullopt;
        return out;
      },
      [&](VarId var, const Progression &a) -> std::optional<Progression> {
        if (other.isUnborn(var)) return a;
        return std::nullopt;
      },
      [&](VarId var, const Progression &b) -> std::optional<Progression> {
        if (isUnborn(var)) return b;
        return std::nullopt;
      });
  auto bases = PersistentMap<Bases>::merge(
      bases_, other.bases_,
      [&](VarId, const Bases &a, const Bases &b) -> std::optional<Bases> {
        Bases out = unionOf(a, b);
        if (out.size() > domain_->mostBases) return std::nullopt;
        return out;
      },
      [&](VarId var, const Bases &a) -> std::optional<Bases> {
        if (other.isUnborn(var)) return a;
        return std::nullopt;
      },
      [&](VarId var, const Bases &b) -> std::optional<Bases> {
        if (isUnborn(var)) return b;
        return std::nullopt;
      });
  auto drop = [](uint32_t, bool) -> std::optional<bool> { return std::nullopt; };
  auto keep = [](uint32_t, bool value) -> std::optional<bool> { return value; };
  auto both = [](uint32_t, bool, bool) -> std::optional<bool> { return true; };
  auto fresh = PersistentMap<bool>::merge(fresh_, other.fresh_, both, drop, drop);
  auto bothUnmade = PersistentMap<bool>::merge(unmade, other.unmade, both, drop, drop);
  auto written = PersistentMap<bool>::merge(written_, other.written_, both, keep, keep);
  numbers_ = std::move(numbers);
  bases_ = std::move(bases);
  fresh_ = std::move(fresh);
  unmade = std::move(bothUnmade);
  written_ = std::move(written);
}

bool State::isSubsetOf(const State &other) const {
  if (bottom_) return true;
  if (other.bottom_) return false;
  // Objects that are fresh or not made there must be so here, and written cells be written there.
  const auto staysWithout = [](uint32_t, const bool *a, const bool *b) { return a || !b; };
  if (!PersistentMap<bool>::compare(fresh_, other.fresh_, staysWithout)) return false;
  if (!PersistentMap<bool>::compare(unmade, other.unmade, staysWithout)) return false;
  if (!PersistentMap<bool>::compare(written_, other.written_,
                                    [&](VarId var, const bool *a, const bool *b) {
                                      if (!a || b) return true;
                                      const Cell *cell = domain_->cells.find(var);
                                      return !cell || !other.fresh_.contains(cell->object);
                                    }))
    return false;
  auto isIncluded = [&](VarId var, const Progression *a, const Progression *b) {
    if (!b) return !other.isUnborn(var) || isUnborn(var);
    if (!a) return isUnborn(var);
    return a->isSubsetOf(*b);
  };
  if (!PersistentMap<Progression>::compare(numbers_, other.numbers_, isIncluded)) return false;
  auto basesIncluded = [&](VarId var, const Bases *a, const Bases *b) {
    if (!b) return true;
    if (!a) return isUnborn(var);
    return std::includes(b->begin(), b->end(), a->begin(), a->end());
  };
  if (!PersistentMap<Bases>::compare(bases_, other.bases_, basesIncluded)) return false;
  return other.relations_.includes(relations_, ranges());
}

} // namespace fathom::statics::abstract
