// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Conditions.h"

#include "statics/front/Predicates.h"

#include <algorithm>

namespace fathom::statics {

std::optional<int64_t> numberOf(const Facts &facts, ValueId value) {
  if (value == kNullValue) return 0;
  auto known = facts.numbers.find(value);
  if (known == facts.numbers.end()) return std::nullopt;
  return known->second;
}

static bool isAddress(const Facts &facts, ValueId value) {
  const Value &v = facts.values[value];
  if (v.function == kNone) return v.address != kNone;
  return v.definition != kNone && facts.statements[v.definition].kind == StatementKind::Address;
}

template <class Key, class What> static bool isBefore(const std::pair<Key, What> &a, const Key &b) {
  return a.first < b;
}

Known::Range &Known::rangeOf(ValueId leader) {
  auto at = std::lower_bound(ranges_.begin(), ranges_.end(), leader, isBefore<ValueId, Range>);
  if (at == ranges_.end() || at->first != leader) at = ranges_.insert(at, {leader, {}});
  return at->second;
}

uint8_t &Known::allowedOf(const Pair &pair) {
  auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair, isBefore<Pair, uint8_t>);
  if (at == pairs_.end() || at->first != pair) at = pairs_.insert(at, {pair, kAnyOrder});
  return at->second;
}

bool Known::shrink(Range &range) {
  while (std::binary_search(range.not_.begin(), range.not_.end(), range.low) &&
         range.low < range.high)
    range.low++;
  while (std::binary_search(range.not_.begin(), range.not_.end(), range.high) &&
         range.low < range.high)
    range.high--;
  if (range.low > range.high) return false;
  return range.low != range.high ||
         !std::binary_search(range.not_.begin(), range.not_.end(), range.low);
}

bool Known::assumeNumber(ValueId leader, int64_t number, bool equal) {
  Range &range = rangeOf(leader);
  if (equal) {
    if (number < range.low || number > range.high) return false;
    range.low = range.high = number;
  } else {
    auto at = std::lower_bound(range.not_.begin(), range.not_.end(), number);
    if (at == range.not_.end() || *at != number) range.not_.insert(at, number);
  }
  return shrink(range);
}

bool Known::assumeAtLeast(ValueId leader, int64_t number) {
  return assumeOrder(leader, Predicate::GreaterEqual, /*isSigned=*/true, number);
}

bool Known::assumeOrder(ValueId leader, Predicate predicate, bool isSigned, int64_t number) {
  if (predicate == Predicate::Equal) return assumeNumber(leader, number, true);
  if (predicate == Predicate::Unequal) return assumeNumber(leader, number, false);
  if (!isSigned) return true; // another order than that of the range
  Range &range = rangeOf(leader);
  switch (predicate) {
  case Predicate::Less:
    if (number == INT64_MIN) return false;
    range.high = std::min(range.high, number - 1);
    break;
  case Predicate::LessEqual: range.high = std::min(range.high, number); break;
  case Predicate::Greater:
    if (number == INT64_MAX) return false;
    range.low = std::max(range.low, number + 1);
    break;
  case Predicate::GreaterEqual: range.low = std::max(range.low, number); break;
  default: return true;
  }
  return shrink(range);
}

bool Known::assumePair(ValueId left, Predicate predicate, bool isSigned, ValueId right) {
  if (left > right) {
    std::swap(left, right);
    predicate = mirroredOf(predicate);
  }
  return (allowedOf({left, right, isSigned}) &= ordersOf(predicate)) != 0;
}

bool Known::assume(ValueNumbers &numbers, const Facts &facts, ValueId condition, bool holds) {
  condition = numbers.leader(condition);
  if (auto number = numberOf(facts, condition)) return (*number != 0) == holds;
  const StatementId at = facts.values[condition].definition;
  const Statement *s =
      at == kNone || facts.values[condition].function == kNone ? nullptr : &facts.statements[at];
  if (s && s->kind == StatementKind::Arithmetic && s->bytes == kWidens)
    return assume(numbers, facts, facts.operandsOf(*s)[0], holds);
  if (s && s->kind == StatementKind::Arithmetic && s->bytes == kLowBit)
    if (const auto number = onlyNumber(numbers.leader(facts.operandsOf(*s)[0])))
      return ((*number & 1) != 0) == holds;
  if (!s || s->kind != StatementKind::Compare ||
      s->extra == static_cast<uint32_t>(Predicate::Other)) {
    auto phi = std::ranges::find(phis_, condition, &std::pair<ValueId, ValueId>::first);
    if (phi != phis_.end() && !assume(numbers, facts, phi->second, holds)) return false;
    return assumeNumber(condition, 0, !holds);
  }
  Predicate predicate = static_cast<Predicate>(s->extra);
  if (!holds) predicate = oppositeOf(predicate);
  ValueId left = numbers.leader(facts.operandsOf(*s)[0]);
  ValueId right = numbers.leader(facts.operandsOf(*s)[1]);
  auto l = numberOf(facts, left), r = numberOf(facts, right);
  if (l && !r) {
    std::swap(left, right);
    std::swap(l, r);
    predicate = mirroredOf(predicate);
  }
  if (!r)
    return left == right ? predicate != Predicate::Unequal && predicate != Predicate::Less &&
                               predicate != Predicate::Greater
                         : assumePair(left, predicate, s->bytes == 1, right);
  // A comparison of a comparison's result: `int b = p == 0; if (b != 0)`.
  const StatementId inner = l ? kNone : facts.values[left].definition;
  if (inner != kNone && *r == 0 &&
      (predicate == Predicate::Equal || predicate == Predicate::Unequal)) {
    const Statement &i = facts.statements[inner];
    if (i.kind == StatementKind::Compare ||
        (i.kind == StatementKind::Arithmetic && i.bytes == kWidens))
      return assume(numbers, facts, left, predicate == Predicate::Unequal);
  }
  // An address of something is not null.
  if (!l && *r == 0 && isAddress(facts, left)) return predicate != Predicate::Equal;
  if (l) {
    Known alone;
    return alone.assumeNumber(left, *l, true) &&
           alone.assumeOrder(left, predicate, s->bytes == 1, *r);
  }
  return assumeOrder(left, predicate, s->bytes == 1, *r);
}

bool Known::mentions(ValueId leader) const {
  const auto at =
      std::lower_bound(ranges_.begin(), ranges_.end(), leader, isBefore<ValueId, Range>);
  if (at != ranges_.end() && at->first == leader) return true;
  for (const auto &[pair, allowed] : pairs_)
    if (std::get<0>(pair) == leader || std::get<1>(pair) == leader) return true;
  return std::ranges::any_of(phis_, [&](const auto &phi) { return phi.first == leader; });
}

std::optional<int64_t> Known::onlyNumber(ValueId leader) const {
  const auto at =
      std::lower_bound(ranges_.begin(), ranges_.end(), leader, isBefore<ValueId, Range>);
  if (at == ranges_.end() || at->first != leader || at->second.low != at->second.high)
    return std::nullopt;
  return at->second.low;
}

void Known::assumeIs(ValueId phi, ValueId operand) { phis_.emplace_back(phi, operand); }

void Known::forget(ValueId leader) {
  std::erase_if(ranges_, [&](const auto &known) { return known.first == leader; });
  std::erase_if(phis_, [&](const auto &phi) { return phi.first == leader; });
}

std::vector<ValueId> decidingValues(ValueNumbers &numbers, const Facts &facts, ValueId condition) {
  std::vector<ValueId> open{condition}, out;
  for (unsigned i = 0; i < 16 && !open.empty(); i++) {
    const ValueId value = numbers.leader(open.back());
    open.pop_back();
    if (facts.values[value].function == kNone) continue;
    out.push_back(value);
    const StatementId at = facts.values[value].definition;
    if (at == kNone) continue;
    const Statement &s = facts.statements[at];
    const bool isDecided = s.kind == StatementKind::Arithmetic
                               ? s.bytes == kWidens || s.bytes == kLowBit
                               : s.kind == StatementKind::Compare;
    if (!isDecided) continue;
    for (const ValueId operand : facts.operandsOf(s)) open.push_back(operand);
  }
  return out;
}

void Known::enter(ValueNumbers &numbers, BlockId block) {
  const auto changes = [&](ValueId value) {
    const std::vector<BlockId> &blocks = numbers.changedIn(value);
    return std::binary_search(blocks.begin(), blocks.end(), block);
  };
  std::erase_if(ranges_, [&](const auto &known) { return changes(known.first); });
  std::erase_if(pairs_, [&](const auto &known) {
    return changes(std::get<0>(known.first)) || changes(std::get<1>(known.first));
  });
  std::erase_if(phis_, [&](const auto &phi) { return changes(phi.first) || changes(phi.second); });
}

} // namespace fathom::statics
