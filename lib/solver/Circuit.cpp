// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Circuit.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace fathom::solver {

void Circuit::clear() {
  gates_.assign(1, Gate{});
  table_.assign(1 << 12, 0);
}

static uint64_t hashOf(const Gate &g) {
  uint64_t h = g.kind;
  for (Wire w : g.in) h = (h ^ w) * 0x9E3779B97F4A7C15ull, h ^= h >> 32;
  return h;
}

void Circuit::growTable() {
  std::vector<uint32_t> larger(table_.size() * 2, 0);
  for (uint32_t i : table_) {
    if (!i) continue;
    size_t at = hashOf(gates_[i]) & (larger.size() - 1);
    while (larger[at]) at = (at + 1) & (larger.size() - 1);
    larger[at] = i;
  }
  table_.swap(larger);
}

Wire Circuit::make(Gate gate) {
  size_t at = hashOf(gate) & (table_.size() - 1);
  for (; table_[at]; at = (at + 1) & (table_.size() - 1))
    if (gates_[table_[at]] == gate) return table_[at] * 2;
  const auto index = static_cast<uint32_t>(gates_.size());
  table_[at] = index;
  gates_.push_back(gate);
  if (gates_.size() * 2 > table_.size()) growTable();
  return index * 2;
}

Wire Circuit::input() {
  gates_.push_back(Gate{});
  return static_cast<Wire>(gates_.size() - 1) * 2;
}

// --- gates
// ----------------------------------------------------------------------------------------

Wire Circuit::land(Wire a, Wire b) {
  if (a > b) std::swap(a, b);
  if (a == kFalse || a == (b ^ 1)) return kFalse;
  if (a == kTrue || a == b) return b;
  return make({Gate::And, {a, b, 0}});
}

Wire Circuit::lxor(Wire a, Wire b) {
  const Wire inverted = (a ^ b) & 1;
  a &= ~1u;
  b &= ~1u;
  if (a > b) std::swap(a, b);
  if (a == b) return kFalse ^ inverted;
  if (a == kFalse) return b ^ inverted;
  return make({Gate::Xor, {a, b, 0}}) ^ inverted;
}

Wire Circuit::mux(Wire s, Wire t, Wire e) {
  if (s & 1) { // selectors are never inverted
    s ^= 1;
    std::swap(t, e);
  }
  if (s == kFalse) return e;
  if (t == e) return t;
  if (t == (e ^ 1)) return lxor(s, e);
  if (t == s || t == kTrue) return lor(s, e);
  if (t == (s ^ 1) || t == kFalse) return land(s ^ 1, e);
  if (e == s || e == kFalse) return land(s, t);
  if (e == (s ^ 1) || e == kTrue) return lor(s ^ 1, t);
  const Wire inverted = e & 1;
  return make({Gate::Mux, {s, t ^ inverted, e ^ inverted}}) ^ inverted;
}

Wire Circuit::majority(Wire a, Wire b, Wire c) {
  if (a > b) std::swap(a, b);
  if (b > c) std::swap(b, c);
  if (a > b) std::swap(a, b);
  if (a == kFalse) return land(b, c);
  if (a == kTrue) return lor(b, c);
  if (a == b) return a;
  if (b == c) return b;
  if (a == (b ^ 1)) return c;
  if (b == (c ^ 1)) return a;
  const Wire inverted = a & 1; // the majority of the inverses is the inverse of the majority
  return make({Gate::Majority, {a ^ inverted, b ^ inverted, c ^ inverted}}) ^ inverted;
}

// --- words
// ----------------------------------------------------------------------------------------

Word Circuit::mux(Wire s, const Word &t, const Word &e) {
  Word out(t.size());
  for (size_t i = 0; i < t.size(); ++i) out[i] = mux(s, t[i], e[i]);
  return out;
}

Word Circuit::add(const Word &a, const Word &b, Wire &carry) {
  Word out(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    out[i] = lxor(lxor(a[i], b[i]), carry);
    carry = majority(a[i], b[i], carry);
  }
  return out;
}

static Word inverse(Word a) {
  for (Wire &w : a) w ^= 1;
  return a;
}

Word Circuit::subtract(const Word &a, const Word &b) {
  Wire carry = kTrue;
  return add(a, inverse(b), carry);
}

static bool isConstant(Wire w) { return w <= kTrue; }

static size_t constants(const Word &a) {
  return static_cast<size_t>(std::count_if(a.begin(), a.end(), isConstant));
}

/// Sums shifted copies of `a`. A run of ones in a constant multiplier is one addition and one
/// subtraction (its non-adjacent form).
Word Circuit::multiply(const Word &x, const Word &y) {
  const bool swapped = constants(x) > constants(y);
  const Word &a = swapped ? y : x, &b = swapped ? x : y;
  const size_t n = a.size();
  Word sum(n, kFalse);
  auto shifted = [&](size_t by) {
    Word out(n, kFalse);
    std::copy(a.begin(), a.end() - static_cast<ptrdiff_t>(by),
              out.begin() + static_cast<ptrdiff_t>(by));
    return out;
  };
  if (constants(b) == n) {
    bool carry = false; // of the recoding: digits 0, 1, -1
    for (size_t i = 0; i < n; ++i) {
      const bool bit = b[i] == kTrue, next = i + 1 < n && b[i + 1] == kTrue;
      const int digits = static_cast<int>(bit) + static_cast<int>(carry);
      if (digits == 1) {
        Wire ignored = kFalse;
        sum = next ? subtract(sum, shifted(i)) : add(sum, shifted(i), ignored);
        carry = next;
      } else {
        carry = digits == 2;
      }
    }
    return sum;
  }
  for (size_t i = 0; i < n; ++i) {
    if (b[i] == kFalse) continue;
    Word term = shifted(i);
    for (Wire &w : term) w = land(w, b[i]);
    Wire ignored = kFalse;
    sum = add(sum, term, ignored);
  }
  return sum;
}

/// Restoring division. After k bits of the dividend the rest is less than 2^k, whatever the
/// divisor: only so many bits are compared and subtracted, and leading zeros of the dividend cost
/// nothing.
void Circuit::divide(const Word &dividend, const Word &divisor, Word &quotient, Word &remainder) {
  const size_t n = dividend.size();
  std::vector<Wire> zeroFrom(n + 1, kTrue); // [k]: bits k and up of the divisor are 0
  for (size_t k = n; k-- > 0;) zeroFrom[k] = land(zeroFrom[k + 1], divisor[k] ^ 1);
  quotient.assign(n, kFalse);
  Word rest;
  for (size_t i = n; i-- > 0;) {
    if (rest.empty() && dividend[i] == kFalse) {
      quotient[i] = zeroFrom[0];
      continue;
    }
    rest.insert(rest.begin(), dividend[i]);
    const Word low(divisor.begin(), divisor.begin() + static_cast<ptrdiff_t>(rest.size()));
    Wire carry = kTrue;
    const Word difference = add(rest, inverse(low), carry);
    quotient[i] = land(carry, zeroFrom[rest.size()]); // no borrow: the divisor fits
    rest = mux(quotient[i], difference, rest);
  }
  rest.resize(n, kFalse);
  remainder = std::move(rest);
}

void Circuit::divideSigned(const Word &dividend, const Word &divisor, Word &quotient,
                           Word &remainder) {
  const Wire a = dividend.back(), b = divisor.back();
  divide(mux(a, negate(dividend), dividend), mux(b, negate(divisor), divisor), quotient, remainder);
  quotient = mux(lxor(a, b), negate(quotient), quotient);
  remainder = mux(a, negate(remainder), remainder);
}

Word Circuit::shift(const Word &a, const Word &amount, Wire fill, bool left) {
  const size_t n = a.size();
  Word out = a;
  for (size_t bit = 0; bit < amount.size(); ++bit) {
    const size_t by = bit < 32 ? std::min(n, size_t(1) << bit) : n;
    Word moved(n, fill);
    for (size_t i = by; i < n; ++i) moved[left ? i : i - by] = out[left ? i - by : i];
    out = mux(amount[bit], moved, out);
  }
  return out;
}

Word Circuit::shiftLeft(const Word &a, const Word &amount) {
  return shift(a, amount, kFalse, /*left=*/true);
}

Word Circuit::shiftRight(const Word &a, const Word &amount, Wire fill) {
  return shift(a, amount, fill, /*left=*/false);
}

Wire Circuit::equal(const Word &a, const Word &b) {
  Wire all = kTrue;
  for (size_t i = 0; i < a.size(); ++i) all = land(all, lxor(a[i], b[i]) ^ 1);
  return all;
}

/// a < b: no carry out of a + ~b + 1.
Wire Circuit::less(const Word &a, const Word &b) {
  Wire carry = kTrue;
  for (size_t i = 0; i < a.size(); ++i) carry = majority(a[i], b[i] ^ 1, carry);
  return carry ^ 1;
}

Wire Circuit::lessSigned(Word a, Word b) {
  a.back() ^= 1;
  b.back() ^= 1;
  return less(a, b);
}

} // namespace fathom::solver
