// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/Constraints.h"

#include <algorithm>
#include <bit>

namespace fathom::statics::heap {

/// Between which numbers the term is before any branch, and what is not among its numbers.
Constraints::Range Constraints::firstRangeOf(const Terms &terms, TermId term) {
  const Bounds bounds = firstBoundsOf(terms, term, /*byBranches=*/false);
  const Bounds told = firstBoundsOf(terms, term, /*byBranches=*/true);
  Range out{.term = term,
            .low = bounds.low,
            .high = bounds.high,
            .isLowFact = bounds.low != told.low,
            .isHighFact = bounds.high != told.high};
  if (const std::vector<int64_t> *numbers = terms.numbersOf(term)) {
    constexpr int64_t kMaxBetween = 16;
    for (size_t i = 1; i < numbers->size(); i++) {
      const int64_t first = (*numbers)[i - 1], last = (*numbers)[i];
      if (static_cast<uint64_t>(last) - static_cast<uint64_t>(first) > kMaxBetween) continue;
      for (int64_t n = first + 1; n < last; n++) out.excluded.insert(n);
    }
  }
  return out;
}

Constraints::Range &Constraints::rangeOf(const Terms &terms, TermId term) {
  auto at = std::ranges::lower_bound(ranges_, term, {}, &Range::term);
  if (at == ranges_.end() || at->term != term) at = ranges_.insert(at, firstRangeOf(terms, term));
  return *at;
}

const Constraints::Range *Constraints::findRange(TermId term) const {
  const auto at = std::ranges::lower_bound(ranges_, term, {}, &Range::term);
  return at == ranges_.end() || at->term != term ? nullptr : &*at;
}

bool Constraints::shrink(Range &range) {
  const auto isExcluded = [&](int64_t n) { return range.excluded.contains(n); };
  while (range.low < range.high && isExcluded(range.low)) range.low++;
  while (range.low < range.high && isExcluded(range.high)) range.high--;
  return range.low < range.high || (range.low == range.high && !isExcluded(range.low));
}

std::optional<int64_t> Constraints::numberOf(const Terms &terms, TermId term) const {
  if (const auto n = terms.numberOf(term)) return n;
  const Range *range = findRange(term);
  return range && range->low == range->high ? std::optional(range->low) : std::nullopt;
}

bool Constraints::isNotNull(Terms &terms, TermId term) const {
  if (const auto n = numberOf(terms, term)) return *n != 0;
  if (terms.isNeverNull(term)) return true;
  const Range *range = findRange(term);
  return range && range->excludes(0);
}

uint8_t Constraints::ordersOf(TermId a, TermId b) const {
  const bool isSwapped = a > b;
  if (isSwapped) std::swap(a, b);
  const auto pair =
      std::ranges::find_if(pairs_, [&](const Pair &p) { return p.a == a && p.b == b; });
  if (pair == pairs_.end()) return kAnyOrder;
  const uint8_t allowed = pair->allowed[0] & pair->allowed[1];
  if (!isSwapped) return allowed;
  return static_cast<uint8_t>((allowed & kEqual) | (allowed & kLess ? kGreater : 0) |
                              (allowed & kGreater ? kLess : 0));
}

TermId Constraints::simplified(Terms &terms, TermId term) const {
  return simplified(terms, term, 0);
}

namespace {

/// Bits of one number: those of the mask.
struct Masked {
  TermId of;
  int64_t mask;
};

std::optional<Masked> maskedIn(const Terms &terms, TermId term) {
  const Term &t = terms[term];
  if (t.kind != TermKind::Operation || t.operation != Operation::And) return std::nullopt;
  const auto mask = terms.numberOf(t.b);
  return mask ? std::optional<Masked>({t.a, *mask}) : std::nullopt;
}

bool hasAllBits(int64_t mask, int64_t of) { return (of & ~mask) == 0; }

} // namespace

/// What is known of more bits of the same number says which number these are.
std::optional<int64_t> Constraints::maskedOf(const Terms &terms, TermId term) const {
  const auto mine = maskedIn(terms, term);
  if (!mine) return std::nullopt;
  for (const Range &range : ranges_) {
    if (range.low != range.high) continue;
    const auto other = maskedIn(terms, range.term);
    if (other && other->of == mine->of && hasAllBits(other->mask, mine->mask))
      return range.low & mine->mask;
  }
  return std::nullopt;
}

/// The term is this number: which numbers are fewer of the same bits?
bool Constraints::takeMasked(const Terms &terms, TermId term, int64_t number) {
  const auto mine = maskedIn(terms, term);
  if (!mine) return true;
  for (Range &range : ranges_) {
    const auto other = range.term == term ? std::nullopt : maskedIn(terms, range.term);
    if (!other || other->of != mine->of || !hasAllBits(mine->mask, other->mask)) continue;
    const int64_t part = number & other->mask;
    if (range.excludes(part)) return false;
    range.low = range.high = part;
  }
  return true;
}

TermId Constraints::simplified(Terms &terms, TermId term, unsigned depth) const {
  if (const auto n = numberOf(terms, term)) return terms.number(*n);
  if (const auto n = maskedOf(terms, term)) return terms.number(*n);
  const Term t = terms[term];
  if (depth >= kMaxDepth) return term;
  if (t.kind == TermKind::Operation) {
    const bool isCast = t.operation >= Operation::ZExt;
    const TermId a = simplified(terms, t.a, depth + 1);
    const TermId b = isCast ? t.b : simplified(terms, t.b, depth + 1);
    if (a == t.a && b == t.b) return term;
    return terms.operation(t.operation, a, b, t.bits,
                           isCast ? static_cast<uint8_t>(terms[t.b].number) : t.bits);
  }
  if (t.kind == TermKind::Compare) {
    const TermId a = simplified(terms, t.a, depth + 1), b = simplified(terms, t.b, depth + 1);
    if (a == t.a && b == t.b) return term;
    return terms.compare(t.predicate, t.isSigned, a, b, t.bits);
  }
  return term;
}

std::optional<bool> Constraints::decides(Terms &terms, TermId condition) const {
  const TermId known = simplified(terms, condition);
  if (const auto n = terms.numberOf(known)) return (*n & 1) != 0;
  Constraints yes = *this, no = *this;
  if (!yes.take(terms, known)) return false;
  if (!no.take(terms, terms.negation(known))) return true;
  return std::nullopt;
}

bool Constraints::assume(Terms &terms, TermId condition, StatementId at, bool byAccess) {
  condition = simplified(terms, condition);
  if (const auto n = terms.numberOf(condition)) return (*n & 1) != 0;
  const Atom atom{condition, at, byAccess};
  if (std::ranges::find(atoms_, atom) != atoms_.end()) return true;
  if (!take(terms, condition)) return false;
  atoms_.push_back(atom);
  return true;
}

bool Constraints::allows(Terms &terms, TermId term, int64_t number, uint8_t bits) const {
  Constraints with = *this;
  if (!with.take(terms, terms.compare(Predicate::Equal, false, term, terms.number(number), bits)))
    return false;
  return std::ranges::none_of(atoms_, [&](const Atom &atom) {
    return terms.numberOf(with.simplified(terms, atom.condition)) == 0;
  });
}

bool Constraints::take(Terms &terms, TermId condition) {
  const Term t = terms[condition];
  if (t.kind == TermKind::Operation && t.bits == 1) {
    if (t.operation == Operation::And) return take(terms, t.a) && take(terms, t.b);
    if (t.operation == Operation::Xor && t.b == Terms::kOne) {
      const Term inner = terms[t.a];
      // Not (a or b): neither.
      if (inner.kind == TermKind::Operation && inner.operation == Operation::Or && inner.bits == 1)
        return take(terms, terms.negation(inner.a)) && take(terms, terms.negation(inner.b));
      if (inner.kind == TermKind::Operation && inner.operation == Operation::And &&
          inner.bits == 1) {
        if (const auto a = decides(terms, inner.a); a && *a)
          return take(terms, terms.negation(inner.b));
        if (const auto b = decides(terms, inner.b); b && *b)
          return take(terms, terms.negation(inner.a));
      }
      return takeNumber(terms, t.a, Predicate::Equal, false, 0, 1);
    }
    if (t.operation == Operation::Or) {
      if (const auto a = decides(terms, t.a); a && !*a) return take(terms, t.b);
      if (const auto b = decides(terms, t.b); b && !*b) return take(terms, t.a);
    }
  }
  if (t.kind == TermKind::Number) return (t.number & 1) != 0;
  if (t.kind != TermKind::Compare)
    return takeNumber(terms, condition, Predicate::Unequal, false, 0, 1);
  if (const auto n = terms.numberOf(t.b))
    return takeNumber(terms, t.a, t.predicate, t.isSigned, *n, t.bits);
  const bool isEquality = t.predicate == Predicate::Equal || t.predicate == Predicate::Unequal;
  if (isEquality) {
    const Address a = terms.addressOf(t.a), b = terms.addressOf(t.b);
    // Different objects have different addresses; what was allocated here is none that was there.
    if (t.bits == 64 && a.base != b.base && terms.isInstance(a.base) && terms.isInstance(b.base))
      return t.predicate == Predicate::Unequal;
    if (a.base == b.base && a.varying == b.varying)
      return (a.offset == b.offset) == (t.predicate == Predicate::Equal);
  }
  // Places in one object are ordered as their offsets are.
  if (const Address a = terms.addressOf(t.a), b = terms.addressOf(t.b);
      !isEquality && t.bits == 64 && a.base == b.base && terms.isInstance(a.base)) {
    if (a.varying == b.varying)
      return holds(t.predicate, true, a.offset, b.offset, 64).value_or(true);
    int64_t ahead = 0;
    const bool isFar = __builtin_sub_overflow(b.offset, a.offset, &ahead) || ahead == INT64_MIN;
    if (b.varying == kNoTerm && !isFar)
      return takeNumber(terms, a.varying, t.predicate, true, ahead, 64);
    if (a.varying == kNoTerm && !isFar)
      return takeNumber(terms, b.varying, mirroredOf(t.predicate), true, -ahead, 64);
  }
  return takePair(terms, t.a, t.b, t.predicate, t.isSigned);
}

/// What is known of a quotient by a constant says something of the number that is divided: from
/// a / c > n with n >= 0 follows a >= (n + 1) * c.
bool Constraints::takeQuotient(Terms &terms, TermId term, Predicate predicate, bool isSigned,
                               int64_t number) {
  const Term t = terms[term];
  if (t.kind != TermKind::Operation || t.operation != Operation::SDiv) return true;
  const auto by = terms.numberOf(t.b);
  constexpr int64_t kMax = int64_t(1) << 31;
  if (!by || *by <= 0 || *by > kMax || number < 0 || number > kMax) return true;
  const bool isOrder = predicate == Predicate::Equal || isSigned;
  if (!isOrder) return true;
  const int64_t least = predicate == Predicate::Greater ? number + 1 : number;
  const bool isAtLeast = predicate == Predicate::Greater || predicate == Predicate::GreaterEqual ||
                         predicate == Predicate::Equal;
  const bool isAtMost = predicate == Predicate::Less || predicate == Predicate::LessEqual ||
                        predicate == Predicate::Equal;
  if (isAtLeast && least > 0 &&
      !takeNumber(terms, t.a, Predicate::GreaterEqual, true, least * *by, t.bits))
    return false;
  const int64_t most = predicate == Predicate::Less ? number - 1 : number;
  return !isAtMost || most < 0 ||
         takeNumber(terms, t.a, Predicate::Less, true, (most + 1) * *by, t.bits);
}

/// Of a number whose bits are those of a constant or zero: is one of these numbers not excluded?
bool Constraints::isLeft(const Terms &terms, TermId term, const Range &range) {
  const Term &t = terms[term];
  if (t.kind != TermKind::Operation || t.operation != Operation::And) return true;
  const auto mask = terms.numberOf(t.b);
  constexpr int kMaxBits = 4;
  if (!mask || *mask < 0 || std::popcount(static_cast<uint64_t>(*mask)) > kMaxBits) return true;
  for (int64_t part = *mask;; part = (part - 1) & *mask) {
    if (!range.excluded.contains(part)) return true;
    if (part == 0) return false;
  }
}

/// May the term be the number, by what is known of it as a wider number?
bool Constraints::allowsWidened(const Terms &terms, TermId term, int64_t number) const {
  return std::ranges::none_of(ranges_, [&](const Range &range) {
    const Term &t = terms[range.term];
    if (t.kind != TermKind::Operation || t.a != term) return false;
    const auto from = [&] { return static_cast<unsigned>(terms[t.b].number); };
    if (t.operation == Operation::ZExt)
      return range.excludes(static_cast<int64_t>(zeroExtended(number, from())));
    return t.operation == Operation::SExt && range.excludes(signExtended(number, from()));
  });
}

bool Constraints::takeNumber(Terms &terms, TermId term, Predicate predicate, bool isSigned,
                             int64_t number, unsigned bits) {
  if (predicate == Predicate::Other) return true;
  if (bits == 64 && number == 0 && terms.isNeverNull(term)) {
    if (predicate == Predicate::Equal) return false;
    if (predicate == Predicate::Unequal) return true;
  }
  if (!takeQuotient(terms, term, predicate, isSigned, number)) return false;
  Range &range = rangeOf(terms, term);
  if (predicate == Predicate::Equal) {
    if (bits == 64 && number < boundsOf(terms, term).low) return false;
    if (number < range.low || number > range.high || !allowsWidened(terms, term, number))
      return false;
    range.low = range.high = number;
    return shrink(range) && takeMasked(terms, term, number) && takeEqual(terms, term, number);
  }
  if (predicate == Predicate::Unequal) {
    range.excluded.insert(number);
    return shrink(range) && isLeft(terms, term, range);
  }
  // That it is not negative may be known of what it is computed from.
  if (const int64_t low = boundsOf(terms, term).low; !isSigned && range.low < 0 && low >= 0) {
    range.low = low;
    range.isLowFact = true;
  }
  const bool isKept = shrinkBy(range, predicate, isSigned, number);
  if (range.isLowFact || range.isHighFact) {
    Range told{.term = term};
    if (!isSigned && range.low >= 0) told.low = 0;
    shrinkBy(told, predicate, isSigned, number);
    range.isLowFact &= told.low < range.low;
    range.isHighFact &= told.high > range.high;
  }
  if (!isKept) return false;
  if (isSigned) {
    const Bounds bounds = boundsOf(terms, term);
    if (bounds.low > bounds.high) return false;
  }
  return takeOperand(terms, term, Range(range));
}

/// A sum with a constant, or a widened number, that is bound on both sides bounds what it was
/// computed from.
bool Constraints::takeOperand(Terms &terms, TermId term, const Range &range) {
  if (range.low == INT64_MIN || range.high == INT64_MAX) return true;
  const Term t = terms[term];
  if (t.kind != TermKind::Operation) return true;
  int64_t moved = 0;
  if (t.operation == Operation::Add && terms.numberOf(t.b))
    moved = *terms.numberOf(t.b);
  else if (t.operation != Operation::SExt)
    return true;
  constexpr int64_t kMax = int64_t(1) << 30;
  if (std::max({range.low, range.high, moved}) > kMax ||
      std::min({range.low, range.high, moved}) < -kMax)
    return true;
  const auto bits =
      static_cast<uint8_t>(t.operation == Operation::SExt ? terms[t.b].number : t.bits);
  return takeNumber(terms, t.a, Predicate::GreaterEqual, true, range.low - moved, bits) &&
         takeNumber(terms, t.a, Predicate::LessEqual, true, range.high - moved, bits);
}

/// By an order with a number.
bool Constraints::shrinkBy(Range &range, Predicate predicate, bool isSigned, int64_t number) {
  if (!isSigned) {
    const bool isBelow = predicate == Predicate::Less || predicate == Predicate::LessEqual;
    if (number < 0) {
      // From a large number on, as unsigned, is between that negative one and -1.
      if (isBelow) return true;
      range.low = std::max(range.low, predicate == Predicate::Greater ? number + 1 : number);
      range.high = std::min<int64_t>(range.high, -1);
      return shrink(range);
    }
    // Below a number that is not negative, as unsigned, is between 0 and that number.
    if (isBelow) {
      if (predicate == Predicate::Less && number == 0) return false;
      range.low = std::max<int64_t>(range.low, 0);
      range.high = std::min(range.high, predicate == Predicate::Less ? number - 1 : number);
    } else if (range.low >= 0) {
      range.low = std::max(
          range.low, predicate == Predicate::Greater && number < INT64_MAX ? number + 1 : number);
    } else {
      // Or it is one of the large ones, which are negative here.
      constexpr int64_t kMost = 8;
      const int64_t least = predicate == Predicate::Greater ? number + 1 : number;
      for (int64_t n = 0; n < std::min(least, kMost); n++) range.excluded.insert(n);
    }
    return shrink(range);
  }
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
  default: break;
  }
  return shrink(range);
}

/// The term is the number: so are those that a branch says are equal to it.
bool Constraints::takeEqual(Terms &terms, TermId term, int64_t number) {
  for (size_t i = 0; i < pairs_.size(); i++) {
    const Pair pair = pairs_[i];
    if ((pair.a != term && pair.b != term) || (pair.allowed[0] & pair.allowed[1]) != kEqual)
      continue;
    const TermId other = pair.a == term ? pair.b : pair.a;
    const auto known = numberOf(terms, other);
    if (known ? *known != number : !takeNumber(terms, other, Predicate::Equal, false, number, 64))
      return false;
  }
  return true;
}

bool Constraints::takePair(Terms &terms, TermId a, TermId b, Predicate predicate, bool isSigned) {
  if (a > b) {
    std::swap(a, b);
    predicate = mirroredOf(predicate);
  }
  if (predicate == Predicate::Other) return true;
  auto at = std::ranges::find_if(pairs_, [&](const Pair &p) { return p.a == a && p.b == b; });
  if (at == pairs_.end()) at = pairs_.insert(at, {.a = a, .b = b});
  uint8_t &mine = at->allowed[isSigned], &other = at->allowed[!isSigned];
  mine &= statics::ordersOf(predicate);
  // Equality is the same in both orders.
  if (!(mine & kEqual)) other &= static_cast<uint8_t>(~kEqual);
  if (mine == kEqual) other &= kEqual;
  if (mine == 0 || other == 0) return false;
  if (mine != kEqual) return true;
  for (const TermId term : {a, b})
    if (const auto number = numberOf(terms, term)) return takeEqual(terms, term, *number);
  return true;
}

/// What branches say. Where one number is left, they say which one it is.
Constraints::Bounds Constraints::toldOf(const Terms &terms, TermId term) const {
  const Bounds told = branchBoundsOf(terms, term), bounds = boundsOf(terms, term);
  const bool isNumber = bounds.low == bounds.high;
  return isNumber && (told.low == bounds.low || told.high == bounds.high) ? bounds : told;
}

/// What holds of the term in either case.
Constraints::Hull Constraints::hullOf(const Terms &terms, const Range &mine,
                                      const Constraints &other, const Range &theirs) const {
  const auto either = [](const Bounds &a, const Bounds &b) {
    return Bounds{std::min(a.low, b.low), std::max(a.high, b.high)};
  };
  Hull out{.term = mine.term,
           .bounds = either(boundsOf(terms, mine.term), other.boundsOf(terms, mine.term)),
           .told = either(toldOf(terms, mine.term), other.toldOf(terms, mine.term))};
  const auto addBoth = [&](int64_t n) {
    if (mine.excludes(n) && theirs.excludes(n)) out.excluded.insert(n);
    return true;
  };
  mine.excluded.forEach(addBoth);
  theirs.excluded.forEach(addBoth);
  return out;
}

void Constraints::keepCommon(Terms &terms, const Constraints &other) {
  std::vector<Atom> common;
  for (const Atom &atom : atoms_)
    if (std::ranges::find(other.atoms_, atom) != other.atoms_.end()) common.push_back(atom);
  if (common.size() == atoms_.size()) return;
  std::vector<Hull> hulls;
  for (const Range &mine : ranges_)
    if (const Range *theirs = other.findRange(mine.term))
      hulls.push_back(hullOf(terms, mine, other, *theirs));
  *this = {};
  for (const Atom &atom : common) assume(terms, atom.condition, atom.at, atom.byAccess);
  // Different conditions may say the same of a term. Callers get to know it, too.
  constexpr size_t kMaxExcluded = 4;
  for (const Hull &hull : hulls) {
    // What follows from the common conditions is not said again.
    addFact(terms, hull.term, hull.bounds);
    assumeBounds(terms, hull.term, hull.told, /*byAccess=*/false);
    size_t left = kMaxExcluded;
    hull.excluded.forEach([&](int64_t n) {
      const Range *range = findRange(hull.term);
      if (!range || !range->excludes(n))
        assume(terms, terms.compare(Predicate::Unequal, true, hull.term, terms.number(n), 64),
               kNone);
      return --left > 0;
    });
  }
}

} // namespace fathom::statics::heap
