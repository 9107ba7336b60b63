// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between which numbers a term is, by conditions and by what else is known.
#include "statics/heap/Constraints.h"

#include <algorithm>

namespace fathom::statics::heap {

/// Between which numbers the term is before any branch.
Constraints::Bounds Constraints::firstBoundsOf(const Terms &terms, TermId term, bool byBranches) {
  if (const std::vector<int64_t> *numbers = terms.numbersOf(term))
    return {numbers->front(), numbers->back()};
  Bounds out;
  if (!byBranches && terms.isSymbol(term))
    out = {terms.symbolOf(term).low, terms.symbolOf(term).high};
  if (terms.isLength(term)) out.low = std::max<int64_t>(out.low, 0);
  return out;
}

/// Beyond 64 bits there is no bound.
static int64_t clamped(__int128 value) {
  return value >= INT64_MAX   ? INT64_MAX
         : value <= INT64_MIN ? INT64_MIN
                              : static_cast<int64_t>(value);
}

Constraints::Bounds Constraints::boundsOf(const Terms &terms, TermId term, bool byBranches,
                                          unsigned depth) const {
  if (const auto n = numberOf(terms, term)) return {*n, *n};
  const auto boundsIn = [byBranches](const Range &range) {
    return Bounds{byBranches && range.isLowFact ? INT64_MIN : range.low,
                  byBranches && range.isHighFact ? INT64_MAX : range.high};
  };
  Bounds out = firstBoundsOf(terms, term, byBranches);
  const Range *mine = findRange(term);
  if (mine) out = boundsIn(*mine);
  if (depth >= kMaxDepth) return out;
  const auto meet = [&](int64_t low, int64_t high) {
    out = {std::max(out.low, low), std::min(out.high, high)};
  };
  const auto moved = [](int64_t bound, __int128 factor, __int128 by) {
    const bool isOpen = bound == INT64_MIN || bound == INT64_MAX;
    return isOpen ? bound : clamped(bound * factor + by);
  };
  const Term &t = terms[term];
  if (t.kind == TermKind::Operation) {
    const Bounds a = boundsOf(terms, t.a, byBranches, depth + 1);
    const auto b = terms.numberOf(t.b);
    // That it is not negative may be known otherwise.
    const auto isPositive = [&] {
      return a.low >= 0 || (byBranches && boundsOf(terms, t.a, false, depth + 1).low >= 0);
    };
    if (t.operation == Operation::SExt || (t.operation == Operation::ZExt && isPositive()))
      meet(a.low, a.high);
    else if (t.operation == Operation::Add && b)
      meet(moved(a.low, 1, *b), moved(a.high, 1, *b));
    else if (t.operation == Operation::Mul && b && *b > 0)
      meet(moved(a.low, *b, 0), moved(a.high, *b, 0));
  }
  const auto isExcluded = [&](int64_t n) { return mine && mine->excluded.contains(n); };
  while (out.low < out.high && isExcluded(out.low)) out.low++;
  while (out.low < out.high && isExcluded(out.high)) out.high--;
  // A multiple is not between two multiples.
  if (const int64_t factor = multipleIn(terms, term); factor > 1) {
    const auto rest = [&](int64_t bound) { return ((bound % factor) + factor) % factor; };
    if (out.low > INT64_MIN + factor && rest(out.low) != 0 && out.low < INT64_MAX - factor)
      out.low += factor - rest(out.low);
    if (out.high < INT64_MAX && out.high > INT64_MIN + factor) out.high -= rest(out.high);
  }
  for (const Pair &pair : pairs_) {
    if (pair.a != term && pair.b != term) continue;
    const TermId other = pair.a == term ? pair.b : pair.a;
    const uint8_t orders = ordersOf(term, other);
    const Range *range = findRange(other);
    if (!range && !terms.isLength(other)) continue;
    const Bounds there = range ? boundsIn(*range) : Bounds{.low = 0};
    if (!(orders & kGreater)) meet(INT64_MIN, moved(there.high, 1, orders & kEqual ? 0 : -1));
    if (!(orders & kLess)) meet(moved(there.low, 1, orders & kEqual ? 0 : 1), INT64_MAX);
  }
  return out;
}

void Constraints::assumeBounds(Terms &terms, TermId term, const Bounds &bounds, bool byAccess) {
  const Bounds known = branchBoundsOf(terms, term);
  const auto add = [&](Predicate predicate, int64_t number) {
    assume(terms, terms.compare(predicate, true, term, terms.number(number), 64), kNone, byAccess);
  };
  if (bounds.low > known.low) add(Predicate::GreaterEqual, bounds.low);
  if (bounds.high < known.high) add(Predicate::LessEqual, bounds.high);
}

void Constraints::addFact(const Terms &terms, TermId symbol, const Bounds &bounds) {
  Range &range = rangeOf(terms, symbol);
  if (bounds.low > range.low) {
    range.low = bounds.low;
    range.isLowFact = true;
  }
  if (bounds.high < range.high) {
    range.high = bounds.high;
    range.isHighFact = true;
  }
}

} // namespace fathom::statics::heap
