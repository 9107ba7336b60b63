// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a read at a symbolic index gives where the bytes that it can give follow one formula: bytes
// of one input, or such bytes behind a store at a symbolic index. Then a loop over the block looks
// the same in each round, where a table would be a term of its own for each block.
//
// Source: [merging23] Sec. 3, of whose arrays these are the terms.
#ifndef FATHOM_EXPLORE_DECIDE_REGULARTABLE_H
#define FATHOM_EXPLORE_DECIDE_REGULARTABLE_H

#include "expr/UnsimplifiedTerm.h"

#include <span>
#include <utility>
#include <vector>

namespace fathom::explore {

struct TableIndex {
  expr::ExprPtr index;    ///< 64 bits; below the number of elements, as the path says
  expr::ExprPtr distance; ///< index * stride
  unsigned stride;        ///< of elements in the block
};

/// contents: the bytes that are constant; symbolic: (index, term) of those that are not, ascending.
/// unsimplified: how the terms were built;
/// null: only bytes of an input are looked for. Null: there is no such formula.
/// O(sizes of the terms).
expr::ExprPtr regularTable(expr::ExprContext &context, expr::UnsimplifiedTerms *unsimplified,
                           const std::vector<uint8_t> &contents,
                           std::span<const std::pair<uint64_t, expr::ExprPtr>> symbolic,
                           const TableIndex &at);

} // namespace fathom::explore
#endif
