// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One state for several, before anything that they hold is joined.
#ifndef FATHOM_EXPLORE_MERGE_MERGEDSTATE_H
#define FATHOM_EXPLORE_MERGE_MERGEDSTATE_H

#include "explore/state/State.h"

#include <memory>
#include <span>

namespace fathom::explore {

struct Engine;

/// A copy of `like`, which is one of the states, with what is counted for all of them. Its identity
/// follows from the root's and theirs. Path, decisions, values and witness are still those of
/// `like`. What they were the first to cover is not its own: it may take another way (see
/// Region::leaveTest).
std::unique_ptr<State> stateForAll(Engine &engine, const State &root,
                                   std::span<const State *const> states, const State &like);

} // namespace fathom::explore
#endif
