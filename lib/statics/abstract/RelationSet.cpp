// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/RelationSet.h"

namespace fathom::statics::abstract {

Relations &RelationSet::own(size_t i) {
  if (domains_[i].use_count() > 1) domains_[i] = domains_[i]->clone();
  return *domains_[i];
}

void RelationSet::forget(VarId var) {
  for (size_t i = 0; i < domains_.size(); ++i) own(i).forget(var);
}

void RelationSet::forgetIf(VarId first, const std::function<bool(VarId)> &isGone) {
  for (size_t i = 0; i < domains_.size(); ++i) {
    std::vector<VarId> gone;
    domains_[i]->forEachVariable(first, [&](VarId var) {
      if (isGone(var)) gone.push_back(var);
    });
    for (const VarId var : gone) own(i).forget(var);
  }
}

void RelationSet::assign(VarId dst, VarId src, int64_t offset) {
  for (size_t i = 0; i < domains_.size(); ++i) own(i).assign(dst, src, offset);
}

bool RelationSet::constrain(const PairBound &bound, const RangeOf &ranges) {
  for (size_t i = 0; i < domains_.size(); ++i)
    if (!own(i).constrain(bound, ranges)) return false;
  return true;
}

std::optional<int64_t> RelationSet::upperBound(const PairBound &of) const {
  std::optional<int64_t> out;
  for (const auto &domain : domains_)
    if (const std::optional<int64_t> c = domain->upperBound(of); c && (!out || *c < *out)) out = c;
  return out;
}

std::vector<VarId> RelationSet::neighbours(VarId var) const {
  std::vector<VarId> out;
  for (const auto &domain : domains_)
    for (const VarId other : domain->neighbours(var)) out.push_back(other);
  return out;
}

Range RelationSet::tighten(VarId var, Range now, const RangeOf &ranges) const {
  for (const auto &domain : domains_) now = domain->tighten(var, now, ranges);
  return now;
}

void RelationSet::add(const RelationSet &other) {
  for (size_t i = 0; i < domains_.size(); ++i) own(i).add(*other.domains_[i]);
}

void RelationSet::join(const RelationSet &other, const RangeOf &mine, const RangeOf &others) {
  for (size_t i = 0; i < domains_.size(); ++i)
    if (domains_[i] != other.domains_[i]) own(i).join(*other.domains_[i], mine, others);
}

void RelationSet::widen(const RelationSet &next, const RangeOf &nexts) {
  for (size_t i = 0; i < domains_.size(); ++i)
    if (domains_[i] != next.domains_[i]) own(i).widen(*next.domains_[i], nexts);
}

bool RelationSet::includes(const RelationSet &other, const RangeOf &others) const {
  for (size_t i = 0; i < domains_.size(); ++i)
    if (domains_[i] != other.domains_[i] && !domains_[i]->includes(*other.domains_[i], others))
      return false;
  return true;
}

std::vector<std::string> RelationSet::text(const std::function<std::string(VarId)> &name) const {
  std::vector<std::string> out;
  for (const auto &domain : domains_)
    for (std::string &line : domain->text(name)) out.push_back(std::move(line));
  return out;
}

} // namespace fathom::statics::abstract
