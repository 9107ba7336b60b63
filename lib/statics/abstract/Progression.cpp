// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Progression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace fathom::statics::abstract {

namespace {

UWide circle(unsigned width) { return UWide(1) << width; }

/// The inverse of a modulo m; a and m are coprime.
UWide inverse(UWide a, UWide m) {
  Wide old = Wide(a % m), now = Wide(m), oldFactor = 1, factor = 0;
  while (now) {
    const Wide quotient = old / now;
    Wide next = old - quotient * now;
    old = now;
    now = next;
    next = oldFactor - quotient * factor;
    oldFactor = factor;
    factor = next;
  }
  return UWide(oldFactor < 0 ? oldFactor + Wide(m) : oldFactor);
}

/// a * b mod m for numbers below 2^65, without overflow.
UWide timesMod(UWide a, UWide b, UWide m) {
  UWide out = 0;
  for (a %= m; b; b >>= 1) {
    if (b & 1) out = (out + a) % m;
    a = (a + a) % m;
  }
  return out;
}

/// Exact intersection of two stretches.
std::optional<Stretch> common(const Stretch &a, const Stretch &b) {
  const Wide lo = std::max(a.lo, b.lo), hi = std::min(a.hi, b.hi);
  if (lo > hi) return std::nullopt;
  if (!a.stride || !b.stride) {
    const Stretch &one = a.stride ? b : a, &other = a.stride ? a : b;
    if (other.stride ? UWide(one.lo - other.lo) % other.stride != 0 : one.lo != other.lo)
      return std::nullopt;
    return one;
  }
  // x = a.lo + s * k with s k = b.lo - a.lo (mod b.stride).
  const UWide g = gcd(a.stride, b.stride);
  const Wide difference = b.lo - a.lo;
  if (difference % Wide(g) != 0) return std::nullopt;
  const UWide modulus = b.stride / g;
  Wide reduced = (difference / Wide(g)) % Wide(modulus);
  if (reduced < 0) reduced += Wide(modulus);
  const UWide k =
      modulus == 1 ? 0 : timesMod(UWide(reduced), inverse(a.stride / g, modulus), modulus);
  // a.stride * modulus can exceed 2^127 only if both strides are enormous: then one member at most.
  const UWide step = a.stride * modulus;
  if (k > UWide(a.hi - a.lo) / a.stride) return std::nullopt;
  Wide first = a.lo + Wide(k * a.stride);
  if (first > hi) return std::nullopt;
  if (first < lo) {
    const UWide rounds = (UWide(lo - first) + step - 1) / step;
    if (rounds > UWide(hi - first) / step) return std::nullopt;
    first += Wide(rounds * step);
  }
  Stretch out{first, first + Wide(UWide(hi - first) / step * step), step};
  if (out.lo == out.hi) out.stride = 0;
  return out;
}

} // namespace

Progression Progression::top(unsigned width) {
  assert(width >= 1 && width <= 64);
  Progression out;
  out.width_ = uint8_t(width);
  out.stride_ = 1;
  out.steps_ = out.mask();
  return out;
}

Progression Progression::none(unsigned width) {
  Progression out = of(width, 0);
  out.none_ = true;
  return out;
}

Progression Progression::of(unsigned width, uint64_t value) {
  Progression out;
  out.width_ = uint8_t(width);
  out.start_ = value & out.mask();
  return out;
}

Progression Progression::of(unsigned width, const Stretch &stretch) {
  Progression out = of(width, uint64_t(stretch.lo));
  if (stretch.lo == stretch.hi) return out;
  const UWide length = UWide(stretch.hi - stretch.lo);
  if (length >= circle(width)) { // it goes round: only the residue is left
    const UWide residue = gcd(stretch.stride, circle(width));
    if (residue == circle(width)) return out;
    out.stride_ = uint64_t(residue);
    out.start_ &= uint64_t(residue - 1);
    out.steps_ = uint64_t(circle(width) / residue - 1);
    return out;
  }
  out.stride_ = uint64_t(stretch.stride);
  out.steps_ = uint64_t(length / stretch.stride);
  if (out.coversResidue()) {
    out.start_ %= out.stride_;
  } else if (out.steps_ == 1 && stretch.stride > circle(width) / 2) {
    // Two members are also a progression the other way round: the shorter way is the normal form.
    out.start_ = (out.start_ + out.stride_) & out.mask();
    out.stride_ = uint64_t(circle(width) - stretch.stride);
  }
  return out;
}

Progression Progression::between(unsigned width, uint64_t lo, uint64_t hi) {
  const Wide end = hi >= lo ? Wide(hi) : Wide(hi) + Wide(circle(width));
  return of(width, Stretch{Wide(lo), end, lo == hi ? UWide(0) : UWide(1)});
}

bool Progression::coversResidue() const {
  return !none_ && stride_ && span() + stride_ == circle(width_);
}

bool Progression::isTop() const { return !none_ && stride_ == 1 && steps_ == mask(); }

std::optional<uint64_t> Progression::single() const {
  if (none_ || steps_) return std::nullopt;
  return start_;
}

bool Progression::contains(uint64_t value) const {
  if (none_) return false;
  const uint64_t distance = (value - start_) & mask();
  return stride_ ? distance % stride_ == 0 && distance / stride_ <= steps_ : distance == 0;
}

bool Progression::isSubsetOf(const Progression &other) const {
  if (none_ || *this == other) return true;
  if (!other.contains(start_)) return false;
  if (!steps_) return true;
  if (!other.stride_ || stride_ % other.stride_) {
    if (steps_ != 1) return false; // of two members, both can be looked at
    return other.contains((start_ + stride_) & mask());
  }
  return other.coversResidue() || UWide((start_ - other.start_) & mask()) + span() <= other.span();
}

Wide Progression::min(bool isSigned) const { return stretches(isSigned).front().lo; }
Wide Progression::max(bool isSigned) const { return stretches(isSigned).back().hi; }

std::vector<Stretch> Progression::stretches(bool isSigned) const {
  if (none_) return {};
  const Wide all = Wide(circle(width_)), bias = isSigned ? all / 2 : 0;
  const Wide first = Wide((start_ + uint64_t(bias)) & mask()), last = first + Wide(span());
  auto make = [&](Wide lo, Wide hi) {
    return Stretch{lo - bias, hi - bias, lo == hi ? UWide(0) : UWide(stride_)};
  };
  if (last < all) return {make(first, last)};
  const Wide before = first + (all - 1 - first) / Wide(stride_) * Wide(stride_);
  return {make(before + Wide(stride_) - all, last - all), make(first, before)};
}

std::optional<std::vector<uint64_t>> Progression::members(uint64_t most) const {
  std::vector<uint64_t> out;
  if (none_) return out;
  if (steps_ >= most) return std::nullopt;
  for (uint64_t k = 0; k <= steps_; ++k) out.push_back((start_ + k * stride_) & mask());
  return out;
}

Progression Progression::join(const Progression &other) const {
  if (none_) return other;
  if (other.none_) return *this;
  if (other.isSubsetOf(*this)) return *this;
  if (isSubsetOf(other)) return other;
  // The two ways round: from the start of one to the end of the other.
  auto from = [](const Progression &a, const Progression &b) -> std::optional<Progression> {
    const uint64_t distance = (b.start_ - a.start_) & a.mask();
    const UWide stride = gcd(gcd(a.stride_, b.stride_), distance);
    const UWide length = std::max(a.span(), UWide(distance) + b.span());
    if (length >= circle(a.width_)) return std::nullopt;
    return of(a.width_, Stretch{Wide(a.start_), Wide(a.start_) + Wide(length), stride});
  };
  const std::optional<Progression> one = from(*this, other), two = from(other, *this);
  if (one && (!two || one->steps_ <= two->steps_)) return *one;
  if (two) return *two;
  const UWide stride =
      gcd(gcd(stride_, other.stride_), gcd((other.start_ - start_) & mask(), circle(width_)));
  return of(width_, Stretch{Wide(start_), Wide(start_) + Wide(circle(width_)), stride});
}

Progression Progression::meet(const Progression &other) const {
  if (isSubsetOf(other)) return *this;
  if (other.isSubsetOf(*this)) return other;
  Progression best = steps_ <= other.steps_ ? *this : other;
  for (const bool isSigned : {false, true}) {
    Progression out = none(width_);
    for (const Stretch &a : stretches(isSigned))
      for (const Stretch &b : other.stretches(isSigned))
        if (const std::optional<Stretch> both = common(a, b)) out = out.join(of(width_, *both));
    if (out.none_) return out;
    if (out.steps_ < best.steps_) best = out;
  }
  return best;
}

Progression Progression::widen(const Progression &next,
                               const std::vector<int64_t> &thresholds) const {
  if (none_) return next;
  if (next.isSubsetOf(*this)) return *this;
  const Progression joined = join(next);
  // In the order that cuts neither: signed first, which most programs mean.
  for (const bool isSigned : {true, false}) {
    const std::vector<Stretch> was = stretches(isSigned), is = joined.stretches(isSigned);
    if (was.size() != 1 || is.size() != 1) continue;
    const Wide least = isSigned ? -Wide(circle(width_) / 2) : 0;
    const Wide greatest = least + Wide(circle(width_)) - 1;
    const UWide stride = std::max<UWide>(is[0].stride, 1);
    Wide lo = is[0].lo, hi = is[0].hi;
    if (lo < was[0].lo) {
      auto after = std::upper_bound(thresholds.begin(), thresholds.end(), lo,
                                    [](Wide value, int64_t t) { return value < t; });
      const Wide bound = after == thresholds.begin() ? least : std::max<Wide>(*--after, least);
      lo -= Wide(UWide(lo - bound) / stride * stride);
    }
    if (hi > was[0].hi) {
      auto at = std::lower_bound(thresholds.begin(), thresholds.end(), hi,
                                 [](int64_t t, Wide value) { return t < value; });
      const Wide bound = at == thresholds.end() ? greatest : std::min<Wide>(*at, greatest);
      hi += Wide(UWide(bound - hi) / stride * stride);
    }
    return of(width_, Stretch{lo, hi, lo == hi ? UWide(0) : stride});
  }
  const UWide residue = gcd(joined.stride_ ? joined.stride_ : 1, circle(width_));
  return of(width_,
            Stretch{Wide(joined.start_), Wide(joined.start_) + Wide(circle(width_)), residue});
}

std::string Progression::text() const {
  if (none_) return "none";
  if (isTop()) return "any";
  auto number = [](Wide value) {
    return value < 0 ? fmt::format("-{}", uint64_t(-value)) : fmt::format("{}", uint64_t(value));
  };
  const std::string step = stride_ > 1 ? fmt::format(" step {}", stride_) : "";
  if (width_ == 1) return fmt::format("{}", start_);
  for (const bool isSigned : {true, false})
    if (const std::vector<Stretch> parts = stretches(isSigned); parts.size() == 1) {
      if (parts[0].lo == parts[0].hi) return number(parts[0].lo);
      return fmt::format("[{}, {}]{}", number(parts[0].lo), number(parts[0].hi), step);
    }
  return fmt::format("[{}, {} + 2^{}]{}", start_, (start_ + uint64_t(span())) & mask(), width_,
                     step);
}

} // namespace fathom::statics::abstract
