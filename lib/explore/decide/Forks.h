// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes copies of states: counts and bounds them, and records them in the logs of both.
#ifndef FATHOM_EXPLORE_DECIDE_FORKS_H
#define FATHOM_EXPLORE_DECIDE_FORKS_H

#include "explore/decide/Decisions.h"
#include "explore/decide/EngineComponent.h"
#include "explore/decide/StepContext.h"
#include "explore/state/Pending.h"
#include "explore/state/State.h"

namespace fathom::explore {

class FeasibilityChecks;
class Decisions;
struct Engine;
class LogFollower;
class Places;

class Forks : private EngineComponent {
public:
  explicit Forks(Engine &engine);

  /// A copy of the state, counted and queued as new. Null when a bound on forks is spent (counted
  /// in the ledger).
  State *fork(State &s);
  /// The same for a copy that runs the instruction again.
  State *forkAgain(State &s) {
    State *t = fork(s);
    if (t) decisions_.again(*t);
    return t;
  }
  bool boundForbids(State &s); ///< to fork; it goes to the ledger
  /// Leaves a pending state behind, which begins where `s` is. REQUIRES that feasibleOrLater has
  /// just returned Later.
  State &leave(State &s, Pending what);
  /// The same for a condition under which the instruction is run again.
  State &leave(State &s, Pending::Kind kind, ExprPtr condition) {
    return leave(s, {.kind = kind, .condition = condition});
  }
  /// Leaves a pending check; no input that shows the bug continues after it.
  void leaveCheck(State &s, ExprPtr condition, evidence::BugKind kind,
                  const ObjectState *object = nullptr);

  uint64_t nextStateId = 1;

private:
  State &branchOff(State &s); ///< the copy, in the step and in the logs

  Places &places_;
  LogFollower &follower_;
  FeasibilityChecks &feasibility_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
