// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: whether a model satisfies constraints, by evaluation. No answer with a
// model that a solver made leaves a stage without it.
#ifndef FATHOM_SOLVER_MODELCHECK_H
#define FATHOM_SOLVER_MODELCHECK_H

#include "expr/Model.h"

#include <algorithm>
#include <functional>
#include <ranges>

namespace fathom::solver {

class ModelCheck {
public:
  /// `term` takes an element of `constraints` to its term. O(nodes of those that were looked at).
  template <class Range, class Term = std::identity>
  bool satisfies(const expr::Model &model, const Range &constraints, Term term = {}) {
    evaluator_.setModel(model, ++version_);
    // The goal stands last, and is the most likely to fail.
    return std::ranges::all_of(
        std::views::reverse(constraints), [this](expr::ExprPtr e) { return evaluator_.isTrue(e); },
        term);
  }

private:
  expr::Evaluator evaluator_;
  uint64_t version_ = 0; // of the model, for the evaluator
};

} // namespace fathom::solver
#endif
