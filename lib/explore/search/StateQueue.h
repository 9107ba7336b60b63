// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States in a row, as the searchers keep them that go by age.
#ifndef FATHOM_EXPLORE_SEARCH_STATEQUEUE_H
#define FATHOM_EXPLORE_SEARCH_STATEQUEUE_H

#include "explore/state/State.h"

#include <list>
#include <unordered_map>

namespace fathom::explore {

/// States in an order that changes at its ends only: O(1) for all of it.
class StateQueue {
public:
  State &front() const { return *order_.front(); }
  State &back() const { return *order_.back(); }
  bool empty() const { return order_.empty(); }
  void append(State &state) { placeOf_[&state] = order_.insert(order_.end(), &state); }
  void remove(State &state) {
    auto it = placeOf_.find(&state);
    order_.erase(it->second);
    placeOf_.erase(it);
  }
  void toTheEnd(State &state) {
    order_.splice(order_.end(), order_, placeOf_.find(&state)->second);
  }

private:
  std::list<State *> order_;
  std::unordered_map<State *, std::list<State *>::iterator> placeOf_;
};

} // namespace fathom::explore
#endif
