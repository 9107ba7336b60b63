// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/RowLayout.h"

#include "expr/ExternalOperation.h"
#include "expr/TermVisitor.h"

#include <algorithm>
#include <tuple>

namespace fathom::expr {

RowLayout::RowLayout(std::span<const ExprPtr> roots) {
  TermVisitor visitor;
  std::vector<ExprPtr> stack;
  auto push = [&](ExprPtr e) {
    if ((e->has(kHasSymbol) || e->has(kHasApply)) && visitor.first(e)) stack.push_back(e);
  };
  std::vector<ExprPtr> applied;
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
    if (e->kind() == Kind::Apply) applied.push_back(e);
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
  rowBytes_ = places_.size();
  if (!applied.empty()) addApplications(std::move(applied));
}

void RowLayout::addApplications(std::vector<ExprPtr> found) {
  std::sort(found.begin(), found.end(),
            [](ExprPtr a, ExprPtr b) { return a->height() < b->height(); });
  // What is lower cannot depend on what is higher.
  for (ExprPtr apply : found) {
    Application made{apply, 0, 0, {}, {}};
    ExprPtr array = apply->op(0);
    std::vector<ExprPtr> stores;
    for (; array->kind() == Kind::Store; array = array->op(0)) stores.push_back(array);
    made.input = array->array().contents;
    std::vector<ExprPtr> at(made.input.size(), nullptr);
    for (size_t i = stores.size(); i-- > 0;) at[stores[i]->op(1)->value()] = stores[i]->op(2);
    for (uint32_t i = 0; i < at.size(); ++i) {
      if (!at[i]) continue;
      if (at[i]->isConst())
        made.input[i] = static_cast<uint8_t>(at[i]->value());
      else
        made.variables.push_back({i, at[i]});
    }
    TermVisitor visitor;
    std::vector<ExprPtr> stack;
    for (auto [place, term] : made.variables)
      if (term->has(kHasApply) && visitor.first(term)) stack.push_back(term);
    while (!stack.empty()) {
      ExprPtr e = stack.back();
      stack.pop_back();
      if (const Application *below = application(e))
        made.level = std::max(made.level, below->level + 1); // which knows of those below it
      else
        for (unsigned i = 0; i < e->numOps(); ++i)
          if (e->op(i)->has(kHasApply) && visitor.first(e->op(i))) stack.push_back(e->op(i));
    }
    applications_.push_back(std::move(made));
  }
  std::sort(applications_.begin(), applications_.end(), [](const auto &a, const auto &b) {
    return std::tuple(a.level, a.term->height(), a.term->hash()) <
           std::tuple(b.level, b.term->height(), b.term->hash());
  });
  for (Application &a : applications_) {
    a.offset = static_cast<uint32_t>(rowBytes_);
    rowBytes_ += a.term->operation().outputBytes;
  }
}

const RowLayout::Application *RowLayout::application(ExprPtr apply) const {
  if (apply->kind() != Kind::Apply) return nullptr;
  for (const Application &a : applications_)
    if (a.term == apply) return &a;
  return nullptr;
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
