// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which state to run next. A searcher does not own states; it is told when they come and go.
// Those that there are: explore/search/Searchers.def.
#ifndef FATHOM_EXPLORE_SEARCH_SEARCHER_H
#define FATHOM_EXPLORE_SEARCH_SEARCHER_H

#include "explore/state/State.h"

namespace fathom::explore {

class Searcher {
public:
  virtual ~Searcher() = default;
  /// The state to run next; there is at least one.
  virtual State &next() = 0;
  /// `forked` is a successor of `from` (null: `forked` is the initial state); `from` may have ended
  /// (see remove).
  virtual void add(State *from, State &forked) = 0;
  /// The state's path has ended.
  virtual void remove(State &state) = 0;
  /// The cost of running the state that next() returned, in turns of usual length: at least 1.
  /// Called before ran() or remove().
  virtual void spent(State &state, double turns) { (void)state, (void)turns; }
  /// The state was run and goes on: its position and coverage may have changed.
  virtual void ran(State &state) { (void)state; }
};

} // namespace fathom::explore
#endif
