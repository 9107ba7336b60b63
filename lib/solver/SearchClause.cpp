// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/SearchClause.h"

#include "expr/TermVisitor.h"

#include <algorithm>

namespace fathom::solver {

using expr::ExprPtr;
using expr::Kind;
using expr::RowLayout;

namespace {

/// Byte strings in the input of an operation, and the places in it that are bytes of the row.
void analyseInput(const RowLayout::Application &application, const RowLayout &layout,
                  SearchClause &out) {
  constexpr size_t kMaxToken = 64;
  std::vector<uint32_t> rowByte(application.input.size(), RowLayout::kNone);
  std::vector<bool> isConstant(application.input.size(), true);
  for (auto [place, term] : application.variables) {
    isConstant[place] = false;
    if (auto run = layout.run(term); run && run->bytes == 1) rowByte[place] = run->offset;
  }
  std::vector<uint8_t> token;
  std::vector<uint32_t> place;
  for (size_t i = 0; i <= application.input.size(); ++i) {
    const bool isIn = i < application.input.size();
    if (isIn && isConstant[i] && application.input[i] && token.size() < kMaxToken) {
      token.push_back(application.input[i]);
    } else if (!token.empty()) {
      out.tokens.push_back(std::move(token));
      token.clear();
    }
    if (isIn && rowByte[i] != RowLayout::kNone) {
      place.push_back(rowByte[i]);
    } else if (!place.empty()) {
      out.places.push_back(std::move(place));
      place.clear();
    }
  }
}

template <typename T> void sortUnique(std::vector<T> &v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

} // namespace

SearchClause analyseClause(ExprPtr constraint, const RowLayout &layout) {
  SearchClause clause{constraint, {}, {}, {}, {}, {}};
  expr::TermVisitor visitor;
  expr::visitPreOrder(constraint, visitor, [&](ExprPtr e) {
    if (e->isConst()) {
      if (e->width() >= 8 && e->width() <= 64) clause.constants.push_back(e->value());
      return false;
    }
    if (auto run = layout.run(e)) {
      for (uint32_t i = 0; i < run->bytes; ++i) clause.bytes.push_back(run->offset + i);
      if (run->bytes > 1) {
        clause.words.push_back(*run);
        return false;
      }
    } else if (e->kind() == Kind::Read) {
      ExprPtr array = e->op(0);
      while (array->kind() == Kind::Store) array = array->op(0);
      const RowLayout::Symbol *symbol = layout.symbol(array);
      if (symbol && symbol->isWhole && !e->op(1)->isConst())
        for (uint32_t i = 0; i < array->array().sizeBytes; ++i)
          clause.bytes.push_back(symbol->offset + i);
      else if (symbol && e->op(1)->isConst())
        if (uint32_t at = layout.find(array, e->op(1)->value()); at != RowLayout::kNone)
          clause.bytes.push_back(at);
    } else if (const auto *application = layout.application(e)) {
      analyseInput(*application, layout, clause);
    }
    return true;
  });
  sortUnique(clause.bytes);
  sortUnique(clause.constants);
  sortUnique(clause.tokens);
  return clause;
}

} // namespace fathom::solver
