// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Support.h"

#include "solver/Translate.h"

#include "expr/TermVisitor.h"

#include <algorithm>
#include <iterator>

namespace fathom::solver {

using expr::Kind;

/// What a read of the array at the bottom of a chain of stores depends on.
static void addBaseCells(ExprPtr read, Support &out) {
  const expr::ArrayInfo &base = read->op(0)->array();
  if (!base.contents.empty() || base.operation) return; // no bytes of symbolic arrays
  ExprPtr index = read->op(1);
  if (index->isConst()) {
    if (index->value() < base.sizeBytes) out.push_back(Cell::of(base.index, index->value()));
    return;
  }
  constexpr uint64_t kFew = 64;
  const Reach reach = reachOf(index, base.sizeBytes);
  if (reach.isEmpty()) return;
  if (!reach.isWithin(kFew)) {
    out.push_back(Cell::whole(base.index));
    return;
  }
  for (uint64_t i = reach.first; i <= reach.last; ++i) out.push_back(Cell::of(base.index, i));
}

uint64_t gatesOf(ExprPtr e) {
  const uint64_t w = e->numOps() ? std::max(e->width(), e->op(0)->width()) : e->width();
  switch (e->kind()) {
  case Kind::Concat:
  case Kind::Extract:
  case Kind::ZExt:
  case Kind::SExt:
  case Kind::Not: return 0; // wires
  case Kind::Add:
  case Kind::Sub: return 5 * w;
  case Kind::Mul: return e->op(1)->isConst() ? w * w : 5 * w * w;
  case Kind::UDiv:
  case Kind::URem:
  case Kind::SDiv:
  case Kind::SRem: return 10 * w * w;
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr: return 8 * w;
  case Kind::Read:
    return e->op(1)->isConst() ? 0 : 8 * std::min<uint64_t>(e->op(0)->array().sizeBytes, 4096);
  // Floating point: shifters for alignment and rounding, and the integer operation on fractions.
  case Kind::FAdd:
  case Kind::FSub:
  case Kind::FRound:
  case Kind::FConvert:
  case Kind::SToF:
  case Kind::UToF:
  case Kind::FToS:
  case Kind::FToU: return 200 * w;
  case Kind::FMul: return 200 * w + 10 * w * w;
  case Kind::FDiv:
  case Kind::FSqrt:
  case Kind::FFma: return 200 * w + 40 * w * w;
  default: return 2 * w;
  }
}

const SupportTable::Entry &SupportTable::entry(ExprPtr root) {
  if (collections_ != context_.collections()) {
    table_.clear();
    collections_ = context_.collections();
  }
  if (auto it = table_.find(root); it != table_.end()) return *it->second;

  auto made = std::make_unique<Entry>();
  Support *result = &made->support;
  expr::TermVisitor visitor;
  std::vector<ExprPtr> stack{root};
  auto push = [&](ExprPtr e) {
    if (e->has(expr::kHasSymbol) && visitor.first(e)) stack.push_back(e);
  };
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    if (auto it = table_.find(e); it != table_.end()) {
      const Support &known = it->second->support;
      result->insert(result->end(), known.begin(), known.end());
      made->readsByIndex |= it->second->readsByIndex;
      made->gates += it->second->gates;
      continue;
    }
    made->gates += gatesOf(e);
    if (e->kind() == Kind::Read) {
      addBaseCells(e, *result);
      made->readsByIndex |= !e->op(1)->isConst();
      push(e->op(1));
      ExprPtr a = e->op(0);
      for (; a->kind() == Kind::Store && visitor.first(a); a = a->op(0)) {
        push(a->op(1));
        push(a->op(2));
        made->gates += 70;
      }
      if (a->kind() == Kind::Apply) push(a); // depends on what its input does
      continue;
    }
    for (unsigned i = 0; i < e->numOps(); ++i) push(e->op(i));
  }
  std::sort(result->begin(), result->end());
  result->erase(std::unique(result->begin(), result->end()), result->end());
  return *(table_[root] = std::move(made));
}

void mergeInto(Support &into, const Support &from) {
  Support merged;
  merged.reserve(into.size() + from.size());
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(merged));
  into.swap(merged);
}

void flattenConjunction(ExprPtr e, std::vector<ExprPtr> &out) {
  std::vector<ExprPtr> pending{e};
  while (!pending.empty()) {
    ExprPtr top = pending.back();
    pending.pop_back();
    if (top->kind() == Kind::And && top->isBool()) {
      pending.push_back(top->op(1));
      pending.push_back(top->op(0));
    } else if (!top->isTrue()) {
      out.push_back(top);
    }
  }
}

} // namespace fathom::solver
