// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random quantified formulas of the kind that merging loops over buffers makes: forall i <= k of
// what the i-th byte is, and beside them what the byte at k is.
#ifndef FATHOM_UNITTESTS_EXPR_RANDOMQUANTIFIERS_H
#define FATHOM_UNITTESTS_EXPR_RANDOMQUANTIFIERS_H

#include "expr/ExprContext.h"
#include "support/Rng.h"

#include <array>

namespace fathom::expr::test {

class RandomQuantifiers {
public:
  RandomQuantifiers(ExprContext &context, Rng &rng) : c(context), rng(rng) {
    text = c.symbol("s", 12);
    other = c.symbol("t", 8);
    numbers = c.symbol("n", 3);
    for (unsigned i = 0; i < table_.size(); ++i) table_[i] = static_cast<uint8_t>(i * 5 % 7);
    table = c.constArray(table_);
  }

  /// A constraint with a Forall.
  ExprPtr clause() {
    const uint64_t range = 1 + rng.below(10);
    ExprPtr e = c.forall(range, count(), body(range, 2));
    switch (rng.below(12)) {
    case 0: return c.bvNot(e);
    case 1: return c.bvOr(e, plain());
    case 2: return c.ite(plain(), e, plain());
    default: return e;
    }
  }

  /// One without.
  ExprPtr plain() {
    ExprPtr index = rng.below(3) ? count() : word(rng.below(12));
    if (rng.below(3) == 0) index = c.add(index, word(rng.below(3)));
    switch (rng.below(6)) {
    case 0: return c.ult(count(), word(rng.below(12)));
    case 1: return c.ult(index, count());
    case 2: return c.eq(c.read(other, index), byte());
    case 3: return c.ult(byte(), c.read(text, index));
    case 4: return c.ne(c.read(text, index), byte());
    default: return c.eq(c.read(text, index), byte());
    }
  }

  ExprContext &c;
  Rng &rng;
  ExprPtr text, other, numbers, table;

private:
  ExprPtr word(uint64_t value) { return c.constant(value, 64); }
  ExprPtr byte() {
    if (rng.below(4) == 0) return c.read(text, uint64_t(rng.below(12)));
    return c.constant(rng.below(4) ? 97 + rng.below(3) : 0, 8);
  }
  ExprPtr count() {
    ExprPtr n = c.zext(c.read(numbers, uint64_t(rng.below(3))), 64);
    return rng.below(8) ? n : word(rng.below(8));
  }
  /// Of an element: depends on the number, mostly.
  ExprPtr index(ExprPtr i) {
    switch (rng.below(8)) {
    case 0: return c.add(i, word(rng.below(3)));
    case 1: return c.add(c.mul(i, word(2)), word(~uint64_t(1)));
    case 2: return c.sub(count(), i);
    case 3: return c.zext(c.read(table, i), 64);
    case 4: return i;
    default: return c.sub(i, word(1));
    }
  }
  ExprPtr body(uint64_t range, unsigned depth) {
    ExprPtr i = c.bound(range);
    if (depth && rng.below(3) == 0) {
      ExprPtr a = body(range, depth - 1), b = body(range, depth - 1);
      return rng.below(3) ? c.bvAnd(a, b) : c.bvOr(a, b);
    }
    ExprPtr element = c.read(rng.below(5) ? text : other, index(i));
    switch (rng.below(9)) {
    case 0: return c.ult(c.sub(i, word(1)), count());
    case 1: return c.ne(element, byte());
    case 2: return c.ule(element, c.constant(97 + rng.below(3), 8));
    case 3: return c.eq(element, c.read(other, index(i)));
    case 4: return c.ult(element, c.extract(c.add(i, word(96)), 0, 8));
    case 5: return c.eq(element, c.extract(c.add(i, word(96)), 0, 8));
    default: return c.eq(element, c.constant(rng.below(4) ? 97 : 98, 8));
    }
  }
  std::array<uint8_t, 11> table_;
};

} // namespace fathom::expr::test
#endif
