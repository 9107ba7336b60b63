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

/// The support of a constraint is remembered; if the constraint is taller than kTallSupport, also
/// that of each subterm taller than kLowHeight. Constraints of a path grow out of each other, and
/// each would be walked down to the bottom again.
static constexpr uint32_t kTallSupport = 64, kLowHeight = 8;

const SupportTable::Entry &SupportTable::entry(ExprPtr root) {
  if (collections_ != context_.collections()) {
    clear();
    collections_ = context_.collections();
  }
  if (auto it = table_.find(root); it != table_.end()) return entries_[it->second];
  if (root->height() <= kTallSupport) return entries_[table_[root] = keep(walk(root))];
  // Bottom-up: a term is done when what it needs is.
  std::vector<ExprPtr> stack{root};
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    const size_t before = stack.size();
    if (!table_.count(e))
      for (unsigned i = 0; i < e->numOps(); ++i)
        if (ExprPtr op = e->op(i);
            op->has(expr::kHasSymbol) && op->height() > kLowHeight && !table_.count(op))
          stack.push_back(op);
    if (stack.size() > before) continue;
    stack.pop_back();
    if (!table_.count(e)) table_[e] = combine(e);
  }
  return entries_[table_.find(root)->second];
}

/// From what its operands have, of which the tall ones are in the table.
uint32_t SupportTable::combine(ExprPtr e) {
  Entry own;
  if (e->kind() == Kind::Read) {
    addBaseCells(e, own.support);
    own.readsByIndex = !e->op(1)->isConst();
  }
  bool isOwn = true; // nothing but `own` so far
  uint32_t sum = 0;
  if (!own.support.empty() || own.readsByIndex) {
    sum = keep(std::move(own));
    isOwn = false;
  }
  for (unsigned i = 0; i < e->numOps(); ++i) {
    ExprPtr op = e->op(i);
    if (!op->has(expr::kHasSymbol)) continue;
    auto it = table_.find(op);
    const uint32_t more = it != table_.end() ? it->second : keep(walk(op));
    sum = isOwn ? more : unite(sum, more);
    isOwn = false;
  }
  return isOwn ? keep({}) : sum;
}

/// The number of an entry that is like this one.
uint32_t SupportTable::keep(Entry entry) {
  uint64_t hash = entry.readsByIndex;
  for (Cell c : entry.support) hash = (hash ^ c.key) * 0x9E3779B97F4A7C15ull;
  for (auto [it, end] = numbers_.equal_range(hash); it != end; ++it)
    if (const Entry &known = entries_[it->second];
        known.support == entry.support && known.readsByIndex == entry.readsByIndex)
      return it->second;
  const auto number = static_cast<uint32_t>(entries_.size());
  entries_.push_back(std::move(entry));
  numbers_.emplace(hash, number);
  return number;
}

uint32_t SupportTable::unite(uint32_t a, uint32_t b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  const uint64_t both = uint64_t(a) << 32 | b;
  if (auto it = unions_.find(both); it != unions_.end()) return it->second;
  Entry sum;
  const Entry &x = entries_[a], &y = entries_[b];
  std::set_union(x.support.begin(), x.support.end(), y.support.begin(), y.support.end(),
                 std::back_inserter(sum.support));
  sum.readsByIndex = x.readsByIndex || y.readsByIndex;
  return unions_[both] = keep(std::move(sum));
}

/// By looking at all of the term, down to what the table has.
SupportTable::Entry SupportTable::walk(ExprPtr root) const {
  Entry made;
  expr::TermVisitor visitor;
  std::vector<ExprPtr> stack{root};
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    if (auto it = table_.find(e); it != table_.end()) {
      const Entry &known = entries_[it->second];
      made.support.insert(made.support.end(), known.support.begin(), known.support.end());
      made.readsByIndex |= known.readsByIndex;
      continue;
    }
    if (e->kind() == Kind::Read) {
      addBaseCells(e, made.support);
      made.readsByIndex |= !e->op(1)->isConst();
    }
    for (unsigned i = 0; i < e->numOps(); ++i)
      if (e->op(i)->has(expr::kHasSymbol) && visitor.first(e->op(i))) stack.push_back(e->op(i));
  }
  std::sort(made.support.begin(), made.support.end());
  made.support.erase(std::unique(made.support.begin(), made.support.end()), made.support.end());
  return made;
}

uint64_t SupportTable::gates(ExprPtr root) {
  entry(root); // starts over where terms were reclaimed
  if (auto it = gates_.find(root); it != gates_.end()) return it->second;
  uint64_t sum = 0;
  expr::TermVisitor visitor;
  std::vector<ExprPtr> stack{root};
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    if (auto it = gates_.find(e); it != gates_.end()) {
      sum += it->second;
      continue;
    }
    sum += e->kind() == Kind::Store ? 70 : gatesOf(e);
    for (unsigned i = 0; i < e->numOps(); ++i)
      if (e->op(i)->has(expr::kHasSymbol) && visitor.first(e->op(i))) stack.push_back(e->op(i));
  }
  return gates_[root] = sum;
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
