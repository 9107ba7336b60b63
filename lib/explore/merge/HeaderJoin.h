// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incremental merging: states that come to the header of a loop in one round, and hold the same
// where anybody reads it, become one before the next round. Their paths are one disjunction, so
// that a round that can go several ways is one round, and the loop has a regular pattern.
//
// Source: [merging23] Sec. 4. Departs: the states of a round wait for each other, so that joins do
// not depend on the order of exploration.
#ifndef FATHOM_EXPLORE_MERGE_HEADERJOIN_H
#define FATHOM_EXPLORE_MERGE_HEADERJOIN_H

#include "explore/decide/Engine.h"
#include "explore/merge/PathLiterals.h"
#include "explore/merge/StateJoin.h"

#include <memory>
#include <vector>

namespace fathom::explore {

class HeaderJoin {
public:
  /// root: before the loop.
  HeaderJoin(Engine &engine, const State &root, StateJoin &join)
      : engine_(engine), root_(root), join_(join) {}

  using States = std::vector<std::unique_ptr<State>>;
  /// The states of one round, in an order that the program decides: those that are one are one.
  /// O(pairs of states with the same registers * objects).
  States next(States waiting);
  /// Did a join make this state, or one that it comes from? Its log does not lead to it.
  static bool wasJoined(const State &s, const State &root);

private:
  struct Before {
    solver::PathCondition path;
    PersistentList<Decision> decisions;
  };
  std::unique_ptr<State> joined(States members);
  /// What all of them come from.
  const Before &commonOf(const States &members) const;

  Engine &engine_;
  const State &root_;
  StateJoin &join_;
  std::vector<Before> released_; ///< states of the last round, as they went on
  mutable Before atRoot_;
};

} // namespace fathom::explore
#endif
