// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of a turn (one call of Executor::run) so far, when it has to end, and whether the
// event at hand counts.
#ifndef FATHOM_EXPLORE_DECIDE_STEPCONTEXT_H
#define FATHOM_EXPLORE_DECIDE_STEPCONTEXT_H

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

/// The result of running a state for a turn.
struct Step {
  bool alive = true;                          ///< The state goes on (false: its path has ended).
  std::vector<std::unique_ptr<State>> forked; ///< New states, in the order of forking.
  size_t ready = 0;                           ///< Of these, those that are not pending.
  /// The run has to end, and a query did not get its full time: the state is not alive, and
  /// continues from this path, before the query.
  std::optional<PathPrefix> suspended;
};

class StepContext : private EngineComponent {
public:
  explicit StepContext(Engine &engine);

  /// Notes what putBack and Decisions::again set back. Before each event: inline, as is mustStop.
  void beginEvent(const State &s) {
    if (!noted.empty()) noted.clear();
    decisions_.begin(s);
    beforeEvent = {stats_.forks, stats_.states, stats_.sidesLeft, stats_.pathsTerminatedEarly};
    forkedBefore = step->forked.size();
  }
  /// To be called between two decisions: a turn has many of them, and each may take the solver
  /// long.
  bool mustStop() const {
    if (stop && stop->load(std::memory_order_relaxed)) return true;
    return deadline != solver::Clock::time_point{} && solver::Clock::now() >= deadline;
  }
  /// Called after a query without an answer: true if the end of the run is the reason. Then the
  /// state is put back (Step::suspended), and what is still done to it does not count.
  bool cutShort(State &s, bool lessTime);

  Step *step = nullptr; ///< the result of the turn so far
  bool cut = false;     ///< this event is not to count: see cutShort
  bool tooDeep = false; ///< fork() refused because of --max-depth
  /// A policy waits for the state here, so its turn is over. Reset by the next turn.
  bool hasArrived = false;
  /// Other states have turns within an event of one state (NestedSteps). They leave no query for
  /// later, because there is no searcher that would schedule it.
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
  /// Objects and stacks beyond the bound that this event has put into the ledger. One event looks a
  /// bug up more than once.
  std::set<uint64_t> noted;

private:
  friend class NestedSteps;
  Decisions &decisions_;
};

/// Within an event of one state others have their turns: for as long as this lives, what belongs to
/// the event is kept.
class NestedSteps {
public:
  explicit NestedSteps(StepContext &stepContext)
      : stepContext_(stepContext), step_(stepContext.step), beforeEvent_(stepContext.beforeEvent),
        forkedBefore_(stepContext.forkedBefore), noted_(stepContext.noted),
        decisions_(stepContext.decisions_.begun()) {
    stepContext_.isNested = true;
  }
  ~NestedSteps() {
    stepContext_.step = step_;
    stepContext_.cut = stepContext_.tooDeep = stepContext_.hasArrived = stepContext_.isNested =
        false;
    stepContext_.beforeEvent = beforeEvent_;
    stepContext_.forkedBefore = forkedBefore_;
    stepContext_.noted = noted_;
    stepContext_.decisions_.resume(decisions_);
  }
  NestedSteps(const NestedSteps &) = delete;

private:
  StepContext &stepContext_;
  Step *step_;
  std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> beforeEvent_;
  size_t forkedBefore_;
  std::set<uint64_t> noted_;
  Decisions::Begun decisions_;
};

} // namespace fathom::explore
#endif
