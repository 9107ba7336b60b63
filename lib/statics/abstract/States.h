// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States that are kept apart at one place: those of different ways to it.
//
// One state cannot say "x is positive where the flag is set, and 0 elsewhere": the join of the two
// ways forgets it. So ways stay apart as long as they are few and time is left for them (Eva calls
// this slevel). A place has at most as many states as it is told; whatever comes on top is joined
// into the last one.
#ifndef FATHOM_STATICS_ABSTRACT_STATES_H
#define FATHOM_STATICS_ABSTRACT_STATES_H

#include "statics/abstract/State.h"

namespace fathom::statics::abstract {

/// A union of states. Without any it is bottom.
class States {
public:
  States() = default;
  explicit States(State state) { add(std::move(state), 1); }

  /// What is in another one already is left out. With `most` 1 it is a join.
  void add(State state, size_t most);
  void add(const States &other, size_t most) {
    for (const State &state : other.list_) add(state, most);
  }
  /// Without looking whether they are in another one: that costs, and here it gains nothing.
  void append(const States &other, size_t most);
  /// Is it in one of the last few?
  bool contains(const State &state) const;
  /// After they were changed.
  void dropBottoms() {
    std::erase_if(list_, [](const State &state) { return state.isBottom(); });
  }
  /// REQUIRES: dropBottoms() since they were changed.
  bool isBottom() const { return list_.empty(); }
  size_t size() const { return list_.size(); }
  /// All of them in one.
  State joined(const State &bottom) const;

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  auto begin() { return list_.begin(); }
  auto end() { return list_.end(); }

private:
  std::vector<State> list_; ///< none is bottom
};

} // namespace fathom::statics::abstract
#endif
