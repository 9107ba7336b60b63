// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that an operation does not go wrong (overflow, division, shifts), and what follows where
// it does: a report, a signal, another value.
#ifndef FATHOM_EXPLORE_DECIDE_CHECKDECISIONS_H
#define FATHOM_EXPLORE_DECIDE_CHECKDECISIONS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

class FeasibilityChecks;
class BugReports;
class Decisions;
struct Engine;
class Forks;
class UninitUses;
class Witnesses;

class CheckDecisions : private EngineComponent {
public:
  explicit CheckDecisions(Engine &engine);

  bool onCheck(State &s);
  bool onBug(State &s);
  /// With --run-fault-handlers: forks a state, in which the condition holds (null: nothing more),
  /// that goes on in the program's handler of this signal. A signal of 0: none.
  void raiseFault(State &s, int signal, uint64_t address, ExprPtr condition,
                  const std::shared_ptr<const expr::Model> &model);

private:
  bool goesWell(State &s, ExprPtr bad);

  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  Forks &forks_;
  UninitUses &uninitUses_;
  BugReports &bugs_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
