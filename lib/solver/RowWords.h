// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: words of up to eight bytes in a row, little-endian.
#ifndef FATHOM_SOLVER_ROWWORDS_H
#define FATHOM_SOLVER_ROWWORDS_H

#include "expr/RowLayout.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fathom::solver {

inline uint64_t wordOf(const uint8_t *row, expr::RowLayout::Run run) {
  uint64_t v = 0;
  std::memcpy(&v, row + run.offset, std::min(run.bytes, 8u));
  return v;
}
inline void setWord(uint8_t *row, expr::RowLayout::Run run, uint64_t v) {
  std::memcpy(row + run.offset, &v, std::min(run.bytes, 8u));
}

} // namespace fathom::solver
#endif
