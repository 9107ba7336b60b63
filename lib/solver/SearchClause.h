// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: what a search knows of a constraint by itself, found once before it
// begins.
#ifndef FATHOM_SOLVER_SEARCHCLAUSE_H
#define FATHOM_SOLVER_SEARCHCLAUSE_H

#include "expr/RowLayout.h"

#include <cstdint>
#include <vector>

namespace fathom::solver {

struct SearchClause {
  expr::ExprPtr term;
  std::vector<uint32_t> bytes;             ///< Offsets in the row that it depends on, ascending.
  std::vector<expr::RowLayout::Run> words; ///< Runs of them that it reads as words.
  std::vector<uint64_t> constants;
  std::vector<std::vector<uint8_t>> tokens;  ///< Byte strings in the inputs of operations.
  std::vector<std::vector<uint32_t>> places; ///< Offsets that lie side by side in such an input.
};
SearchClause analyseClause(expr::ExprPtr constraint, const expr::RowLayout &layout);

} // namespace fathom::solver
#endif
