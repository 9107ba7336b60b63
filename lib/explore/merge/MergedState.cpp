// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergedState.h"

#include "explore/decide/Engine.h"

#include <algorithm>

namespace fathom::explore {

std::unique_ptr<State> stateForAll(Engine &engine, const State &root,
                                   std::span<const State *const> states, const State &like) {
  auto into = std::make_unique<State>(like);
  into->id = engine.forks.nextStateId++;
  into->identity = root.identity;
  for (const State *s : states) {
    into->identity = State::after(into->identity, s->identity);
    into->nextSerial = std::max(into->nextSerial, s->nextSerial);
    into->instructions = std::max(into->instructions, s->instructions);
    into->lastNewCoverage = std::max(into->lastNewCoverage, s->lastNewCoverage);
  }
  into->newlyCovered = root.newlyCovered;
  into->isMerged = true;
  Calls::ownTopFrame(*into);
  return into;
}

} // namespace fathom::explore
