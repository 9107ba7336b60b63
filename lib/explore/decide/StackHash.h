// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers for stacks (FNV-1a, a call at a time).
#ifndef FATHOM_EXPLORE_DECIDE_STACKHASH_H
#define FATHOM_EXPLORE_DECIDE_STACKHASH_H

#include <cstdint>

namespace fathom::explore {

inline constexpr uint64_t kHashSeed = 1469598103934665603ull;
inline void mix(uint64_t &hash, uint64_t value) { hash = (hash ^ value) * 1099511628211ull; }

} // namespace fathom::explore
#endif
