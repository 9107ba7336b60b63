// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A merge in words, for --explain-merges.
#ifndef FATHOM_EXPLORE_MERGE_MERGEEXPLANATION_H
#define FATHOM_EXPLORE_MERGE_MERGEEXPLANATION_H

#include "patterns/FormulaPattern.h"
#include "patterns/RegularPattern.h"

#include <string>

namespace fathom::explore {

/// Four lines: the pattern, a letter for each shape of a condition; its first, a round's and its
/// last condition. array: of the counter, told as k. count: its value, as a term.
std::string explain(const patterns::RegularPattern &pattern,
                    const patterns::FormulaPattern &formula, expr::UnsimplifiedTerms &unsimplified,
                    expr::ExprContext &context, expr::ExprPtr array, expr::ExprPtr count);

} // namespace fathom::explore
#endif
