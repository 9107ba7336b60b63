// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a turn (one call of Stepper::run) has come to so far, when it has to end, and whether the
// event at hand counts.
#ifndef FATHOM_EXPLORE_DECIDE_TURN_H
#define FATHOM_EXPLORE_DECIDE_TURN_H

#include "explore/decide/Decisions.h"
#include "explore/decide/EngineComponent.h"
#include "explore/state/PathLog.h"
#include "explore/state/State.h"
#include "solver/Oracle.h"

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace fathom::explore {

struct Engine;

/// What running a state for a while came to.
struct Step {
  bool alive = true;                          ///< The state goes on (false: its path has ended).
  std::vector<std::unique_ptr<State>> forked; ///< New states, in the order of forking.
  size_t ready = 0;                           ///< Of these, those that are not pending.
  /// The run is to end, and a question did not get the time that it would have had: the state is
  /// not alive, and goes on here, from before it asked.
  std::optional<PathPrefix> suspended;
};

class Turn : private EngineComponent {
public:
  explicit Turn(Engine &engine);

  /// Notes what putBack and Decisions::again set back. Before each event: inline, as is mustStop.
  void beginEvent(const State &s) {
    if (!noted.empty()) noted.clear();
    decisions_.begin(s);
    beforeEvent = {stats_.forks, stats_.states, stats_.sidesLeft, stats_.pathsTerminatedEarly};
    forkedBefore = step->forked.size();
  }
  /// Between two decisions: a turn has many of them, and each may take the solver long.
  bool mustStop() const {
    if (stop && stop->load(std::memory_order_relaxed)) return true;
    return deadline != solver::Clock::time_point{} && solver::Clock::now() >= deadline;
  }
  /// After a question without an answer: true when the end of the run is why. Then the state is put
  /// back (Step::suspended); what is still done to it does not count.
  bool cutShort(State &s, bool lessTime);

  Step *step = nullptr; ///< what the turn has come to
  bool cut = false;     ///< this event is not to count: see cutShort
  bool tooDeep = false; ///< fork() refused because of --max-depth
  /// The state is where somebody waits for it, and its turn is over. Until the next turn.
  bool hasArrived = false;
  /// Others have their turns within an event of a state: no question is left for later, as nobody
  /// knows there who would ask it.
  bool isNested = false;
  /// ExploreOptions::endsWith was true of a bug: the exploration has to stop.
  bool hasLastBug = false;
  /// Set when a result could not be stored: the exploration has to stop.
  bool sinkFailed = false;
  /// Time that may still be spent (solver calls are cut to it). Zero: no bound.
  solver::Clock::time_point deadline{};
  const std::atomic<bool> *stop = nullptr; ///< becomes true when the user interrupts; null: never
  /// Forks, states, sides left and paths that ended, before this event.
  std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> beforeEvent;
  size_t forkedBefore = 0; ///< by the turn at hand, before this event
  /// Objects and stacks that this event has put into the ledger, where no more are told apart: a
  /// bug is looked up more than once.
  std::set<uint64_t> noted;

private:
  friend class NestedTurns;
  Decisions &decisions_;
};

/// Within an event of one state others have their turns: for as long as this lives, what belongs to
/// the event is kept.
class NestedTurns {
public:
  explicit NestedTurns(Turn &turn)
      : turn_(turn), step_(turn.step), beforeEvent_(turn.beforeEvent),
        forkedBefore_(turn.forkedBefore), noted_(turn.noted), decisions_(turn.decisions_.begun()) {
    turn_.isNested = true;
  }
  ~NestedTurns() {
    turn_.step = step_;
    turn_.cut = turn_.tooDeep = turn_.hasArrived = turn_.isNested = false;
    turn_.beforeEvent = beforeEvent_;
    turn_.forkedBefore = forkedBefore_;
    turn_.noted = noted_;
    turn_.decisions_.resume(decisions_);
  }
  NestedTurns(const NestedTurns &) = delete;

private:
  Turn &turn_;
  Step *step_;
  std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> beforeEvent_;
  size_t forkedBefore_;
  std::set<uint64_t> noted_;
  Decisions::Begun decisions_;
};

} // namespace fathom::explore
#endif
