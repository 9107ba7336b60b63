// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the values of a term, answered by several checks.
#ifndef FATHOM_SOLVER_VALUES_H
#define FATHOM_SOLVER_VALUES_H

#include "expr/ExprContext.h"
#include "solver/Oracle.h"

namespace fathom::solver {

struct Range {
  uint64_t min = 0, max = ~uint64_t(0);
  bool exact =
      false; ///< False: some check was not answered; min and max still enclose every value.
};

/// The smallest and the largest unsigned value that e (width <= 64) can have under the path. At
/// most 2 * width checks. The witness must satisfy the path.
Range feasibleRange(FeasibilityOracle &oracle, const PathCondition &path, const Model *witness,
                    uint64_t witnessVersion, ExprPtr e, std::chrono::milliseconds timeout,
                    expr::ExprContext &context);

struct Values {
  std::vector<uint64_t> values; ///< In the order they were found; the witness's own first.
  bool complete = false;        ///< There are no others.
};

/// Up to `limit` values that e (width <= 64) can have under the path; one check each, and one more
/// to find that there are no others. Without a witness the first check finds one.
Values feasibleValues(FeasibilityOracle &oracle, const PathCondition &path, const Model *witness,
                      uint64_t witnessVersion, ExprPtr e, unsigned limit,
                      std::chrono::milliseconds timeout, expr::ExprContext &context);

} // namespace fathom::solver
#endif
