// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/state/Threads.h"

#include "explore/state/State.h"

namespace fathom::explore {

Threads::Threads(const Threads &other)
    : running(other.running), sliceEnd(other.sliceEnd), all(other.all) {
  for (Thread &t : all)
    if (t.top) t.top->refs++;
}

Threads::~Threads() {
  for (Thread &t : all) Frame::release(t.top);
}

} // namespace fathom::explore
