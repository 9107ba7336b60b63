// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_HASHMIX_H
#define FATHOM_SUPPORT_HASHMIX_H

#include <cstdint>

namespace fathom {

/// The hash `h` of a sequence, extended by `v`. The same in every run.
inline uint64_t mixHash(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

} // namespace fathom
#endif
