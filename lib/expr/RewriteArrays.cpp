// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for Read: it looks through stores that are known to write elsewhere, and an index that
// chooses between few constants becomes a choice between the bytes.
#include "expr/Facts.h"
#include "expr/Rules.h"

namespace fathom::expr {

static ExprPtr rewriteReadIte(ExprContext &ctx, ExprPtr array, ExprPtr index);

ExprPtr rewriteRead(ExprContext &ctx, ExprPtr &array, ExprPtr index) {
  unsigned budget = 256; // of index comparisons that have to be built
  const ExprPtr top = array;
  while (array->kind() == Kind::Store) {
    ExprPtr at = array->op(1);
    if (at == index) return array->op(2); // read(store(a, i, v), i) -> v
    if (!at->isConst() || !index->isConst()) {
      if (budget-- == 0 || !ctx.eq(at, index)->isFalse()) break;
    }
    array = array->op(0); // read(store(a, i, v), j) -> read(a, j) when i != j for sure
  }
  if (array->kind() == Kind::Store) return nullptr;
  if (index->isConst()) return array == top ? nullptr : ctx.read(array, index);
  if (ExprPtr r = rewriteReadIte(ctx, array, index)) return r;
  if (array->kind() == Kind::ConstArray) {
    // All bytes in reach are the same: that byte.
    const ArrayInfo &info = array->array();
    Facts facts = factsOf(index, 3);
    if (facts.min >= info.sizeBytes) return ctx.constant(0, 8);
    if (facts.max < info.sizeBytes && facts.max - facts.min < 64) {
      uint8_t first = info.contents[facts.min];
      for (uint64_t i = facts.min; i <= facts.max; ++i)
        if (info.contents[i] != first) return nullptr;
      return ctx.constant(first, 8);
    }
  }
  return nullptr;
}

/// Number of leaves of a tree of Ites if they are all constants and at most `limit`, otherwise more
/// than `limit`. Goes no deeper than limit: every level has another leaf on its other side.
static unsigned constantLeaves(ExprPtr e, unsigned limit) {
  if (limit == 0) return 1;
  if (e->isConst()) return 1;
  if (e->kind() != Kind::Ite) return limit + 1;
  unsigned left = constantLeaves(e->op(1), limit - 1);
  if (left >= limit) return limit + 1;
  return left + constantLeaves(e->op(2), limit - left);
}

static ExprPtr rewriteReadIte(ExprContext &ctx, ExprPtr array, ExprPtr index) {
  // read(a, ite(c, k1, k2)) -> ite(c, a[k1], a[k2]) for up to kMaxLeaves constants
  constexpr unsigned kMaxLeaves = 8;
  if (index->kind() != Kind::Ite || constantLeaves(index, kMaxLeaves) > kMaxLeaves) return nullptr;
  return ctx.ite(index->op(0), ctx.read(array, index->op(1)), ctx.read(array, index->op(2)));
}

} // namespace fathom::expr
