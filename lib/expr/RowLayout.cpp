// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/RowLayout.h"

#include "expr/TermVisitor.h"

#include <algorithm>

namespace fathom::expr {

RowLayout::RowLayout(std::span<const ExprPtr> roots) {
  TermVisitor visitor;
  std::vector<ExprPtr> stack;
  auto push = [&](ExprPtr e) {
    if (e->has(kHasSymbol) && visitor.first(e)) stack.push_back(e);
  };
  auto symbolOf = [&](ExprPtr array) -> Symbol & {
    for (Symbol &s : symbols_)
      if (s.array == array) return s;
    return symbols_.emplace_back(Symbol{array, 0, false, {}});
  };
  for (ExprPtr root : roots) push(root);
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    for (unsigned i = 0; i < e->numOps(); ++i) push(e->op(i));
    if (e->kind() != Kind::Read) continue;
    ExprPtr array = e->op(0);
    while (array->kind() == Kind::Store) array = array->op(0);
    if (array->kind() != Kind::SymbolArray) continue;
    Symbol &symbol = symbolOf(array);
    if (!e->op(1)->isConst())
      symbol.isWhole = true;
    else if (e->op(1)->value() < array->array().sizeBytes)
      symbol.indices.push_back(e->op(1)->value());
  }
  std::sort(symbols_.begin(), symbols_.end(), [](const Symbol &a, const Symbol &b) {
    return a.array->array().index < b.array->array().index;
  });
  for (Symbol &s : symbols_) {
    s.offset = static_cast<uint32_t>(places_.size());
    if (s.isWhole) {
      s.indices.clear();
      for (uint64_t i = 0; i < s.array->array().sizeBytes; ++i) places_.push_back({s.array, i});
      continue;
    }
    std::sort(s.indices.begin(), s.indices.end());
    s.indices.erase(std::unique(s.indices.begin(), s.indices.end()), s.indices.end());
    for (uint64_t i : s.indices) places_.push_back({s.array, i});
  }
}

const RowLayout::Symbol *RowLayout::symbol(ExprPtr array) const {
  for (const Symbol &s : symbols_)
    if (s.array == array) return &s;
  return nullptr;
}

uint32_t RowLayout::find(ExprPtr array, uint64_t index) const {
  const Symbol *s = symbol(array);
  if (!s || index >= array->array().sizeBytes) return kNone;
  if (s->isWhole) return s->offset + static_cast<uint32_t>(index);
  auto at = std::lower_bound(s->indices.begin(), s->indices.end(), index);
  if (at == s->indices.end() || *at != index) return kNone;
  return s->offset + static_cast<uint32_t>(at - s->indices.begin());
}

std::optional<RowLayout::Run> RowLayout::run(ExprPtr e) const {
  if (e->kind() == Kind::Read && e->op(0)->kind() == Kind::SymbolArray && e->op(1)->isConst()) {
    const uint32_t offset = find(e->op(0), e->op(1)->value());
    if (offset == kNone) return std::nullopt;
    return Run{offset, 1};
  }
  if (e->kind() != Kind::Concat || e->width() > 64 || e->width() % 8) return std::nullopt;
  auto low = run(e->op(1)); // not deep: eight bytes at most
  if (!low) return std::nullopt;
  auto high = run(e->op(0));
  if (!high || high->offset != low->offset + low->bytes) return std::nullopt;
  return Run{low->offset, low->bytes + high->bytes};
}

void RowLayout::fill(const Model &model, std::span<uint8_t> row) const {
  for (size_t i = 0; i < places_.size(); ++i)
    row[i] = model.byte(places_[i].symbol, places_[i].index);
}

Model RowLayout::model(std::span<const uint8_t> row, const Model &base) const {
  Model m = base;
  for (size_t i = 0; i < places_.size(); ++i)
    m.setByte(places_[i].symbol, places_[i].index, row[i]);
  return m;
}

} // namespace fathom::expr
