// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a log says first of a region: where it is on the path and of which loop, in 24 bits, and
// what became of it. A loop that was left, or passed without a decision, has no record: so the next
// record must not look like its own.
#ifndef FATHOM_EXPLORE_MERGE_REGIONRECORD_H
#define FATHOM_EXPLORE_MERGE_REGIONRECORD_H

#include "explore/state/State.h"

namespace fathom::explore {

enum class Explored : uint8_t { InVain, Plainly, WithJoins };

inline uint64_t regionRecord(const State &root, uint32_t loop, Explored how) {
  // An inner loop comes several times without a call in between: then with other decisions before.
  const uint64_t where = State::after(State::after(root.identity, root.nextSerial), loop);
  return where >> 40 << 2 | static_cast<unsigned>(how);
}

} // namespace fathom::explore
#endif
