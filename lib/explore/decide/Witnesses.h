// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values under a state's witness, which all code gets from here, and new witnesses.
#ifndef FATHOM_EXPLORE_DECIDE_WITNESSES_H
#define FATHOM_EXPLORE_DECIDE_WITNESSES_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;
class LogFollower;

class Witnesses : private EngineComponent {
public:
  explicit Witnesses(Engine &engine);

  bool holdsUnderWitness(State &s, ExprPtr condition);
  bool holdsUnder(const expr::Model &model, ExprPtr condition);
  uint64_t witnessValue(State &s, ExprPtr e);
  /// The state gets a new witness: its log says in which bytes of its inputs it differs.
  void adoptWitness(State &s, const std::shared_ptr<const expr::Model> &model);
  void adoptReplayedWitness(State &s, uint64_t changes);

  expr::Evaluator evaluator;

private:
  LogFollower &follower_;
};

} // namespace fathom::explore
#endif
