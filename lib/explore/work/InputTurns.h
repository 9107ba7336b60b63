// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offered inputs (InputSource.h) that wait in a worker, and how much of its time their paths get:
// half. A fuzzer offers them faster than they can be followed, and what branches off them has to be
// explored as well.
#ifndef FATHOM_EXPLORE_WORK_INPUTTURNS_H
#define FATHOM_EXPLORE_WORK_INPUTTURNS_H

#include "explore/decide/PathReplayer.h"
#include "solver/Oracle.h"

#include <algorithm>
#include <deque>

namespace fathom::explore {

class InputTurns {
public:
  std::deque<PathPrefix> waiting;

  /// Have paths of inputs not had their share yet?
  bool isDue() const { return onInputs_ <= onOthers_ + kTurn; }
  /// A path ran so long.
  void spent(bool isInput, solver::Clock::duration time) {
    (isInput ? onInputs_ : onOthers_) += time;
    // Where no input came for long, they do not have all of the time for as long afterwards.
    onInputs_ = std::max(onInputs_, onOthers_ - kMostBehind);
  }
  /// The path of the next input is restored next. REQUIRES that one waits.
  void begin(PathReplayer &restorer, Stats &stats) {
    restorer.add({std::move(waiting.front())});
    waiting.pop_front();
    stats.inputsTaken++;
  }

private:
  /// They get so much at once.
  static constexpr std::chrono::milliseconds kTurn{100};
  static constexpr std::chrono::seconds kMostBehind{5};
  solver::Clock::duration onInputs_{}, onOthers_{};
};

} // namespace fathom::explore
#endif
