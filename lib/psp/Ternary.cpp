// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Ternary.h"

namespace fathom::psp {

Ternary ternaryVector(std::span<const int64_t> seen, int64_t value, int64_t k) {
  Ternary out(static_cast<size_t>(2 * k + 1), 0);
  for (const int64_t other : seen) {
    const __int128 at = __int128(other) - value + k;
    if (at >= 0 && at <= 2 * k) out[static_cast<size_t>(at)] = 1;
  }
  out[static_cast<size_t>(k)] = -1;
  return out;
}

} // namespace fathom::psp
