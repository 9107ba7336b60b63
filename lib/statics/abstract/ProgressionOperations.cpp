// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on progressions. Addition and subtraction work on the circle. All others cut the
// operands into stretches of the order that the operation means, work on pairs of stretches as on
// plain numbers, and join the results.
#include "statics/abstract/Progression.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fathom::statics::abstract {

namespace {

UWide absolute(Wide value) { return value < 0 ? UWide(-value) : UWide(value); }
/// A stretch's stride has a meaning only if there is more than one number.
Stretch stretch(Wide lo, Wide hi, UWide stride) {
  if (lo == hi) return {lo, lo, 0};
  if (!stride) stride = 1;
  return {lo, lo + Wide(UWide(hi - lo) / stride * stride), stride};
}

using StretchOperation = std::optional<Stretch> (*)(const Stretch &, const Stretch &);

/// nullopt of an operation: no result.
Progression pairwise(bool isSigned, StretchOperation operation, const Progression &a,
                     const Progression &b) {
  Progression out = Progression::none(a.width());
  const std::vector<Stretch> right = b.stretches(isSigned);
  for (const Stretch &x : a.stretches(isSigned))
    for (const Stretch &y : right)
      if (const std::optional<Stretch> part = operation(x, y))
        out = out.join(Progression::of(a.width(), *part));
  return out;
}

Progression sum(const Progression &a, const Progression &b) {
  auto circular = [](const Progression &p) {
    return Stretch{Wide(p.start()), Wide(p.start()) + Wide(UWide(p.stride()) * p.steps()),
                   p.stride()};
  };
  const Stretch x = circular(a), y = circular(b);
  return Progression::of(a.width(), stretch(x.lo + y.lo, x.hi + y.hi, gcd(x.stride, y.stride)));
}

Progression negative(const Progression &a) {
  const Wide start = Wide(a.start()), span = Wide(UWide(a.stride()) * a.steps());
  return Progression::of(a.width(), Stretch{-start - span, -start, a.stride()});
}

std::optional<Stretch> product(const Stretch &a, const Stretch &b) {
  const Wide corners[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  const auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  // (a.lo + i s)(b.lo + j t) = a.lo b.lo + i s b.lo + j t a.lo + i j s t
  const UWide stride =
      gcd(gcd(a.stride * absolute(b.lo), b.stride * absolute(a.lo)), a.stride * b.stride);
  return stretch(*lo, *hi, stride);
}

Progression multiplied(const Progression &a, const Progression &b) {
  const Progression out = pairwise(/*isSigned=*/true, product, a, b);
  // Products of unsigned numbers fit into a Wide unless both are almost 2^64.
  if (a.max(false) >= Wide(1) << 62 && b.max(false) >= Wide(1) << 62) return out;
  const Progression other = pairwise(/*isSigned=*/false, product, a, b);
  return other.steps() < out.steps() ? other : out;
}

/// a / b, towards zero, for b of one sign.
std::optional<Stretch> quotientOfSign(const Stretch &a, const Stretch &b) {
  const Wide corners[] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
  const auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  const UWide divisor = absolute(b.lo);
  const bool isExact = b.lo == b.hi && a.lo % b.lo == 0 && a.stride % divisor == 0;
  return stretch(*lo, *hi, isExact ? a.stride / divisor : 1);
}

/// The parts of a stretch below, at and above zero.
std::vector<Stretch> bySign(const Stretch &a, bool withZero) {
  std::vector<Stretch> out;
  const UWide s = std::max<UWide>(a.stride, 1);
  if (a.lo < 0) {
    const Wide last = a.hi < 0 ? a.hi : a.lo + Wide(UWide(-1 - a.lo) / s * s);
    out.push_back(stretch(a.lo, last, a.stride));
  }
  const bool hasZero = a.lo <= 0 && a.hi >= 0 && UWide(-a.lo) % s == 0;
  if (hasZero && withZero) out.push_back({});
  if (a.hi > 0) {
    const Wide first = a.lo > 0 ? a.lo : a.lo + Wide((UWide(-a.lo) / s + 1) * s);
    if (first <= a.hi) out.push_back(stretch(first, a.hi, a.stride));
  }
  return out;
}

Progression divided(bool isSigned, const Progression &a, const Progression &b) {
  Progression out = Progression::none(a.width());
  for (const Stretch &x : a.stretches(isSigned))
    for (const Stretch &whole : b.stretches(isSigned))
      for (const Stretch &y : bySign(whole, /*withZero=*/false))
        out = out.join(Progression::of(a.width(), *quotientOfSign(x, y)));
  return out;
}

/// a mod b for a >= 0, b > 0.
Stretch remainder(const Stretch &a, const Stretch &b) {
  if (a.hi < b.lo) return a;
  if (b.lo != b.hi) return stretch(0, std::min(a.hi, b.hi - 1), 1);
  const Wide m = b.lo;
  if (a.lo / m == a.hi / m) return stretch(a.lo % m, a.hi % m, a.stride);
  const UWide g = gcd(a.stride, UWide(m));
  const Wide least = a.lo % Wide(g);
  return stretch(least, m - Wide(g) + least, g);
}

Progression remainderOf(bool isSigned, const Progression &a, const Progression &b) {
  Progression out = Progression::none(a.width());
  for (const Stretch &wholeA : a.stretches(isSigned))
    for (const Stretch &x : bySign(wholeA, /*withZero=*/true))
      for (const Stretch &wholeB : b.stretches(isSigned))
        for (const Stretch &y : bySign(wholeB, /*withZero=*/false)) {
          // The sign of the result is that of a.
          const Stretch magnitude = y.lo < 0 ? Stretch{-y.hi, -y.lo, y.stride} : y;
          if (x.lo >= 0) {
            out = out.join(Progression::of(a.width(), remainder(x, magnitude)));
            continue;
          }
          const Stretch r = remainder(Stretch{-x.hi, -x.lo, x.stride}, magnitude);
          out = out.join(Progression::of(a.width(), Stretch{-r.hi, -r.lo, r.stride}));
        }
  return out;
}

/// Bits that all numbers of a stretch share.
struct KnownBits {
  uint64_t zeros = 0, ones = 0;
};

KnownBits knownBits(const Stretch &a) {
  const auto lo = uint64_t(a.lo), hi = uint64_t(a.hi);
  const int differingBits = std::bit_width(lo ^ hi);
  uint64_t known = differingBits == 64 ? 0 : ~((uint64_t(1) << differingBits) - 1);
  if (a.stride) known |= (uint64_t(1) << std::countr_zero(uint64_t(a.stride))) - 1;
  return {known & ~lo, known & lo};
}

/// Numbers with these known bits, between lo and hi.
std::optional<Stretch> withKnownBits(const KnownBits &bits, uint64_t lo, uint64_t hi) {
  const int low = std::countr_one(bits.zeros | bits.ones);
  if (low >= 64) return stretch(Wide(bits.ones), Wide(bits.ones), 0);
  const uint64_t stride = uint64_t(1) << low, residue = bits.ones & (stride - 1);
  lo = std::max(lo, bits.ones);
  hi = std::min(hi, ~bits.zeros);
  // To the next numbers of that residue, inwards.
  const uint64_t up = (residue - lo) & (stride - 1), down = (hi - residue) & (stride - 1);
  return stretch(Wide(lo) + Wide(up), Wide(hi) - Wide(down), stride);
}

std::optional<Stretch> conjunction(const Stretch &a, const Stretch &b) {
  const KnownBits x = knownBits(a), y = knownBits(b);
  return withKnownBits({x.zeros | y.zeros, x.ones & y.ones}, 0,
                       std::min(uint64_t(a.hi), uint64_t(b.hi)));
}

std::optional<Stretch> disjunction(const Stretch &a, const Stretch &b) {
  const KnownBits x = knownBits(a), y = knownBits(b);
  return withKnownBits({x.zeros & y.zeros, x.ones | y.ones},
                       std::max(uint64_t(a.lo), uint64_t(b.lo)), ~uint64_t(0));
}

std::optional<Stretch> difference(const Stretch &a, const Stretch &b) {
  const KnownBits x = knownBits(a), y = knownBits(b);
  return withKnownBits(
      {(x.zeros & y.zeros) | (x.ones & y.ones), (x.zeros & y.ones) | (x.ones & y.zeros)}, 0,
      ~uint64_t(0));
}

/// Few members of one side with a progression on the other are exact in more cases than bits are.
Progression bitwise(StretchOperation operation, const Progression &a, const Progression &b) {
  return pairwise(/*isSigned=*/false, operation, a, b);
}

Progression shiftedLeft(const Progression &a, unsigned by) {
  const Wide start = Wide(a.start()), span = Wide(UWide(a.stride()) * a.steps());
  // Bits that leave the word do not matter: multiplication modulo 2^width.
  const unsigned width = a.width();
  const Progression kept = by ? applyCast(Cast::Trunc, a, width - by) : a; // by < width
  const Wide first = by ? Wide(kept.start()) : start;
  const Wide length = by ? Wide(UWide(kept.stride()) * kept.steps()) : span;
  return Progression::of(width, stretch(first << by, (first + length) << by,
                                        UWide(by ? kept.stride() : a.stride()) << by));
}

Progression shiftedRight(bool isSigned, const Progression &a, unsigned by) {
  Progression out = Progression::none(a.width());
  for (const Stretch &x : a.stretches(isSigned)) {
    const UWide unit = UWide(1) << by;
    const UWide stride = x.stride % unit == 0 ? x.stride >> by : UWide(1);
    out = out.join(Progression::of(a.width(), stretch(x.lo >> by, x.hi >> by, stride)));
  }
  return out;
}

Progression shifted(Binary op, const Progression &a, const Progression &b) {
  const unsigned width = a.width();
  if (b.max(false) >= Wide(width)) return Progression::top(width);
  Progression out = Progression::none(width);
  const std::optional<std::vector<uint64_t>> amounts = b.members(width);
  for (const uint64_t by : *amounts)
    out = out.join(op == Binary::Shl ? shiftedLeft(a, unsigned(by))
                                     : shiftedRight(op == Binary::AShr, a, unsigned(by)));
  return out;
}

bool isSigned(Predicate predicate) { return predicate >= Predicate::Slt; }

} // namespace

Progression apply(Binary op, const Progression &a, const Progression &b) {
  if (a.isNone() || b.isNone()) return Progression::none(a.width());
  switch (op) {
  case Binary::Add: return sum(a, b);
  case Binary::Sub: return sum(a, negative(b));
  case Binary::Mul: return multiplied(a, b);
  case Binary::UDiv: return divided(false, a, b);
  case Binary::SDiv: return divided(true, a, b);
  case Binary::URem: return remainderOf(false, a, b);
  case Binary::SRem: return remainderOf(true, a, b);
  case Binary::Shl:
  case Binary::LShr:
  case Binary::AShr: return shifted(op, a, b);
  case Binary::And: return bitwise(conjunction, a, b);
  case Binary::Or: return bitwise(disjunction, a, b);
  case Binary::Xor: return bitwise(difference, a, b);
  }
  return Progression::top(a.width());
}

Progression applyCast(Cast op, const Progression &a, unsigned width) {
  Progression out = Progression::none(width);
  if (a.isNone()) return out;
  if (op == Cast::Trunc) {
    const Wide start = Wide(a.start());
    return Progression::of(width,
                           stretch(start, start + Wide(UWide(a.stride()) * a.steps()), a.stride()));
  }
  for (const Stretch &x : a.stretches(op == Cast::SExt)) out = out.join(Progression::of(width, x));
  return out;
}

Progression refine(Predicate predicate, const Progression &a, const Progression &b) {
  const unsigned width = a.width();
  if (a.isNone() || b.isNone()) return Progression::none(width);
  const Wide all = Wide(UWide(1) << width);
  switch (predicate) {
  case Predicate::Eq: return a.meet(b);
  case Predicate::Ne: {
    const std::optional<uint64_t> value = b.single();
    if (!value || !a.contains(*value)) return a;
    if (a.single()) return Progression::none(width);
    const Wide start = Wide(a.start()), span = Wide(UWide(a.stride()) * a.steps());
    const Wide stride = Wide(a.stride());
    if (*value == a.start())
      return Progression::of(width, stretch(start + stride, start + span, a.stride()));
    if (uint64_t(start + span) % UWide(all) == UWide(*value) ||
        UWide(start + span) % UWide(all) == UWide(*value))
      return Progression::of(width, stretch(start, start + span - stride, a.stride()));
    // What covers a residue class can begin behind the missing number.
    if (UWide(span + stride) == UWide(all))
      return Progression::of(width,
                             stretch(Wide(*value) + stride, Wide(*value) + span, a.stride()));
    return a;
  }
  default: break;
  }
  const bool sign = isSigned(predicate);
  const Wide least = sign ? -all / 2 : 0, greatest = least + all - 1;
  Wide lo = least, hi = greatest;
  switch (predicate) {
  case Predicate::Ult:
  case Predicate::Slt: hi = b.max(sign) - 1; break;
  case Predicate::Ule:
  case Predicate::Sle: hi = b.max(sign); break;
  case Predicate::Ugt:
  case Predicate::Sgt: lo = b.min(sign) + 1; break;
  default: lo = b.min(sign); break;
  }
  Progression out = Progression::none(width);
  for (const Stretch &x : a.stretches(sign)) {
    const Wide s = Wide(std::max<UWide>(x.stride, 1));
    const Wide first = x.lo >= lo ? x.lo : x.lo + (lo - x.lo + s - 1) / s * s;
    const Wide last = x.hi <= hi ? x.hi : x.hi - (x.hi - hi + s - 1) / s * s;
    if (first <= last) out = out.join(Progression::of(width, stretch(first, last, x.stride)));
  }
  return out;
}

std::optional<bool> decide(Predicate predicate, const Progression &a, const Progression &b) {
  if (refine(predicate, a, b).isNone()) return false;
  if (refine(negated(predicate), a, b).isNone()) return true;
  return std::nullopt;
}

} // namespace fathom::statics::abstract
