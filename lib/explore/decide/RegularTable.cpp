// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/RegularTable.h"

#include "patterns/TermTemplate.h"

#include <algorithm>

namespace fathom::explore {

using expr::ExprContext;
using expr::ExprPtr;
using expr::Kind;

namespace {

using Bytes = std::span<const std::pair<uint64_t, ExprPtr>>;

/// Of fewer a table is as good.
constexpr size_t kFew = 4;

bool isInput(ExprPtr e) {
  return e->kind() == Kind::Read && e->op(0)->kind() == Kind::SymbolArray && e->op(1)->isConst() &&
         !e->has(expr::kHasUninit);
}

/// Bytes of one input, `stride` apart: a byte of it.
ExprPtr consecutiveBytes(ExprContext &context, Bytes all, ExprPtr distance, unsigned stride) {
  if (!isInput(all[0].second)) return nullptr;
  ExprPtr first = all[0].second;
  const uint64_t start = first->op(1)->value();
  for (auto &[i, e] : all)
    if (!isInput(e) || e->op(0) != first->op(0) ||
        e->op(1)->value() != start + (i - all[0].first) * stride)
      return nullptr;
  return context.read(first->op(0), context.add(distance, context.constant(start, 64)));
}

ExprPtr formula(ExprContext &context, expr::UnsimplifiedTerms &unsimplified, Bytes all,
                ExprPtr index) {
  std::vector<expr::UnsimplifiedPtr> each;
  std::vector<uint64_t> indices;
  const uint64_t shape = expr::UnsimplifiedTerms::shape(unsimplified.of(all[0].second));
  for (auto &[i, e] : all) {
    each.push_back(unsimplified.of(e));
    indices.push_back(i);
    if (expr::UnsimplifiedTerms::shape(each.back()) != shape) return nullptr;
  }
  auto t = patterns::TermTemplate::generalise(unsimplified, context, {}, each, indices);
  return t ? t->at(unsimplified, context, index) : nullptr;
}

} // namespace

ExprPtr regularTable(ExprContext &context, expr::UnsimplifiedTerms *unsimplified,
                     const std::vector<uint8_t> &contents, Bytes symbolic, const TableIndex &at) {
  if (symbolic.size() < kFew && symbolic.size() != contents.size()) return nullptr;
  if (symbolic.size() == contents.size())
    if (ExprPtr byte = consecutiveBytes(context, symbolic, at.distance, at.stride)) return byte;
  if (!unsimplified || symbolic.size() + 1 < contents.size()) return nullptr;
  // The last byte of a block can be another one: nothing was there before the store.
  const bool isLastOther = symbolic.size() < contents.size() || [&] {
    return symbolic.size() > 1 &&
           expr::UnsimplifiedTerms::shape(unsimplified->of(symbolic.back().second)) !=
               expr::UnsimplifiedTerms::shape(unsimplified->of(symbolic[0].second));
  }();
  const uint64_t last = contents.size() - 1;
  if (!isLastOther) return formula(context, *unsimplified, symbolic, at.index);
  ExprPtr end = context.constant(contents[last], 8);
  if (symbolic.size() == contents.size()) {
    end = symbolic.back().second;
    symbolic = symbolic.first(symbolic.size() - 1);
  } else if (symbolic.back().first == last) {
    return nullptr; // another one is constant
  }
  if (symbolic.size() < kFew) return nullptr;
  ExprPtr byte = formula(context, *unsimplified, symbolic, at.index);
  return byte ? context.ite(context.eq(at.index, context.constant(last, 64)), end, byte) : nullptr;
}

} // namespace fathom::explore
