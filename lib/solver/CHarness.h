// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints as a C program that people can read: it takes an input, puts its bytes where the
// constraints read them, and looks at one constraint after the other; an input that satisfies all
// ends the program by a signal. A question of satisfiability has become one of reachability, which
// is a fuzzer's
// ([colossus] §3.3, Listing 3).
#ifndef FATHOM_SOLVER_CHARNESS_H
#define FATHOM_SOLVER_CHARNESS_H

#include "expr/RowLayout.h"

#include <span>
#include <string>

namespace fathom::solver {

struct CHarness {
  std::string source; ///< For clang 19, with the AFL++ runtime (persistent mode).
  std::string error;  ///< Not empty: what has no C, one line.
};

/// The input is the first layout.size() bytes of a row; a shorter one is filled up with zeros.
CHarness makeCHarness(std::span<const expr::ExprPtr> constraints, const expr::RowLayout &layout);

} // namespace fathom::solver
#endif
