// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/BranchDistance.h"

#include "expr/FloatFold.h"

#include <llvm/ADT/DenseMap.h>

#include <algorithm>

namespace fathom::solver {

using expr::ExprContext;
using expr::ExprPtr;
using expr::Kind;

namespace {

/// A distance and the largest value it can have, so that sums which cannot overflow are just sums.
struct Distance {
  ExprPtr term;
  uint64_t most;
};

class DistanceBuilder {
public:
  explicit DistanceBuilder(ExprContext &context) : c(context) {}

  /// The distance of a term of width 1 from a truth value. Boolean structure can be deep and
  /// shared: an explicit stack, operands first.
  Distance of(ExprPtr root, bool wanted) {
    std::vector<std::pair<ExprPtr, bool>> stack{{root, wanted}};
    std::vector<std::pair<ExprPtr, bool>> needed;
    while (!stack.empty()) {
      auto [e, want] = stack.back();
      if (known(e, want)) {
        stack.pop_back();
        continue;
      }
      needed.clear();
      parts(e, want, needed);
      const size_t before = stack.size();
      for (auto [part, w] : needed)
        if (!known(part, w)) stack.push_back({part, w});
      if (stack.size() != before) continue;
      stack.pop_back();
      done_[key(e, want)] = compute(e, want);
    }
    return done_.at(key(root, wanted));
  }

private:
  using Key = std::pair<ExprPtr, unsigned>;
  static Key key(ExprPtr e, bool want) { return {e, want ? 1u : 0u}; }
  bool known(ExprPtr e, bool want) const { return done_.contains(key(e, want)); }
  Distance get(ExprPtr e, bool want) const { return done_.at(key(e, want)); }

  static bool isBooleanOperation(ExprPtr e) {
    switch (e->kind()) {
    case Kind::And:
    case Kind::Or:
    case Kind::Xor:
    case Kind::Ite: return true;
    case Kind::Eq: return e->op(0)->isBool();
    default: return false;
    }
  }

  /// Which distances the one of `e` is made of.
  void parts(ExprPtr e, bool want, std::vector<std::pair<ExprPtr, bool>> &out) const {
    if (e->kind() == Kind::Not) {
      out.push_back({e->op(0), !want});
    } else if (e->kind() == Kind::And || e->kind() == Kind::Or) {
      for (unsigned i : {0u, 1u}) out.push_back({e->op(i), want});
    } else if (e->kind() == Kind::Ite) {
      out.insert(out.end(),
                 {{e->op(0), true}, {e->op(0), false}, {e->op(1), want}, {e->op(2), want}});
    } else if (isBooleanOperation(e)) {
      for (unsigned i : {0u, 1u}) out.insert(out.end(), {{e->op(i), true}, {e->op(i), false}});
    }
  }

  Distance compute(ExprPtr e, bool want) {
    switch (e->kind()) {
    case Kind::Const: return e->isConst(want ? 1 : 0) ? exactly(0) : exactly(kFar);
    case Kind::Not: return get(e->op(0), !want);
    case Kind::And:
    case Kind::Or: {
      Distance a = get(e->op(0), want), b = get(e->op(1), want);
      return (e->kind() == Kind::And) == want ? sum(a, b) : smaller(a, b);
    }
    case Kind::Xor: return same(e, !want);
    case Kind::Ite:
      return smaller(sum(get(e->op(0), true), get(e->op(1), want)),
                     sum(get(e->op(0), false), get(e->op(2), want)));
    case Kind::Eq: return e->op(0)->isBool() ? same(e, want) : want ? equal(e) : unit(e, want);
    case Kind::Ult:
    case Kind::Ule:
    case Kind::Slt:
    case Kind::Sle: return order(e, want);
    case Kind::FEq:
    case Kind::FLt:
    case Kind::FLe: return floats(e, want);
    default: return unit(e, want);
    }
  }

  Distance exactly(uint64_t v) { return {c.constant(v, 64), v}; }
  Distance sum(Distance a, Distance b) {
    ExprPtr plain = c.add(a.term, b.term);
    if (a.most <= ~uint64_t(0) - b.most) return {plain, a.most + b.most};
    return {c.ite(c.ult(plain, a.term), c.constant(~uint64_t(0), 64), plain), ~uint64_t(0)};
  }
  Distance smaller(Distance a, Distance b) {
    return {c.ite(c.ult(b.term, a.term), b.term, a.term), std::min(a.most, b.most)};
  }
  /// Two terms of width 1 have the same value, or not.
  Distance same(ExprPtr e, bool want) {
    Distance x = get(e->op(0), true), notX = get(e->op(0), false);
    Distance y = get(e->op(1), true), notY = get(e->op(1), false);
    return want ? smaller(sum(x, y), sum(notX, notY)) : smaller(sum(x, notY), sum(notX, y));
  }
  ExprPtr truth(ExprPtr e, bool want) { return want ? e : c.bvNot(e); }
  Distance unit(ExprPtr e, bool want) { return {c.zext(truth(e, !want), 64), 1}; }
  /// 0 where e has the wanted value, otherwise `far`.
  Distance unless(ExprPtr e, bool want, Distance far) {
    return {c.ite(truth(e, want), c.constant(0, 64), far.term), far.most};
  }
  /// An unsigned word of up to 64 bits.
  Distance word(ExprPtr e) { return {c.zext(e, 64), ~uint64_t(0) >> (64 - e->width())}; }

  Distance equal(ExprPtr e) {
    ExprPtr a = e->op(0), b = e->op(1);
    if (a->width() <= 64) return around(a, b);
    Distance total = exactly(0);
    for (unsigned low = 0; low < a->width(); low += 32) {
      const unsigned bits = std::min(32u, a->width() - low);
      total = sum(total, around(c.extract(a, low, bits), c.extract(b, low, bits)));
    }
    return total;
  }
  Distance around(ExprPtr a, ExprPtr b) {
    ExprPtr up = c.sub(a, b), down = c.sub(b, a);
    return word(c.ite(c.ult(down, up), down, up));
  }

  Distance order(ExprPtr e, bool want) {
    ExprPtr a = e->op(0), b = e->op(1);
    if (!want) std::swap(a, b); // a < b is not so: b <= a
    const bool strict = (e->kind() == Kind::Ult || e->kind() == Kind::Slt) == want;
    if (a->width() > 64) { // the highest bits
      a = c.extract(a, a->width() - 63, 63);
      b = c.extract(b, b->width() - 63, 63);
      return unless(e, want, sum(word(c.sub(a, b)), exactly(1)));
    }
    Distance gap = word(c.sub(a, b));
    if (strict && gap.most == ~uint64_t(0))
      gap = {c.lshr(gap.term, c.constant(1, 64)), gap.most >> 1};
    return unless(e, want, strict ? sum(gap, exactly(1)) : gap);
  }

  /// The place of a number in the order of all of its width, as an unsigned word.
  ExprPtr rank(ExprPtr e) {
    const unsigned width = e->width();
    ExprPtr sign = c.constant(uint64_t(1) << (width - 1), width);
    ExprPtr isNegative = c.extract(e, width - 1, 1);
    return c.ite(isNegative, c.bvNot(e), c.bvOr(e, sign));
  }
  Distance floats(ExprPtr e, bool want) {
    ExprPtr a = rank(e->op(0)), b = rank(e->op(1));
    if (e->kind() == Kind::FEq && !want) return unit(e, want);
    ExprPtr gap = c.zext(c.ite(c.ult(a, b), c.sub(b, a), c.sub(a, b)), 64);
    return unless(
        e, want,
        {c.add(c.lshr(gap, c.constant(1, 64)), c.constant(1, 64)), (~uint64_t(0) >> 1) + 1});
  }

  static constexpr uint64_t kFar = uint64_t(1) << 32;
  ExprContext &c;                      // NOLINT(readability-identifier-naming): in every line
  llvm::DenseMap<Key, Distance> done_; // looked up only
};

} // namespace

ExprPtr branchDistance(ExprContext &context, ExprPtr constraint) {
  return DistanceBuilder(context).of(constraint, /*wanted=*/true).term;
}

} // namespace fathom::solver
