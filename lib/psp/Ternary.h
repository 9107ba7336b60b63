// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The feature vector of [psp23] Sec. V: which values around one that was not seen were seen.
#ifndef FATHOM_PSP_TERNARY_H
#define FATHOM_PSP_TERNARY_H

#include <cstdint>
#include <span>
#include <vector>

namespace fathom::psp {

/// Shape: 2k + 1 entries. Entry i is 1 if value - k + i was seen, else 0; the entry in the middle
/// is -1. For value 5, k = 3 and the seen values {2, 4, 6, 8}: 1, 0, 1, -1, 1, 0, 1.
using Ternary = std::vector<int8_t>;

/// \param seen  values, in any order, with or without duplicates; those further away than k do not
///              matter. The value itself is not looked for.
Ternary ternaryVector(std::span<const int64_t> seen, int64_t value, int64_t k);

} // namespace fathom::psp
#endif
