// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergeExplanation.h"

#include "expr/Readable.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace fathom::explore {

std::string explain(const patterns::RegularPattern &pattern,
                    const patterns::FormulaPattern &formula, expr::UnsimplifiedTerms &unsimplified,
                    expr::ExprContext &context, expr::ExprPtr array, expr::ExprPtr count) {
  std::map<uint64_t, char> letters;
  auto spell = [&](const patterns::PathWord &word) {
    std::string text;
    for (uint64_t shape : word)
      text +=
          letters.try_emplace(shape, static_cast<char>('a' + letters.size() % 26)).first->second;
    return text.empty() ? std::string("-") : text;
  };
  const std::string core = spell(pattern.core), before = spell(pattern.before),
                    after = spell(pattern.after);
  const expr::ReadableOptions words{.names = {{array, "k"}}};
  std::vector<expr::ExprPtr> round;
  if (formula.maxCount())
    round = formula.round(unsimplified, context, context.bound(formula.maxCount()));
  return fmt::format("  pattern ({}, {}, {})\n  first: {}\n  round i: {}\n  last k: {}\n", before,
                     core, after, expr::toReadable(formula.first(), words),
                     expr::toReadable(round, words),
                     expr::toReadable(formula.last(unsimplified, context, count), words));
}

} // namespace fathom::explore
