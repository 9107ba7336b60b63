// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions about where to go: branches, switches, computed gotos, calls through pointers.
#ifndef FATHOM_EXPLORE_DECIDE_CONTROLDECISIONS_H
#define FATHOM_EXPLORE_DECIDE_CONTROLDECISIONS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

class FeasibilityChecks;
class AssumedMemory;
class BugReports;
class CheckDecisions;
class Decisions;
struct Engine;
class Forks;
class InputSides;
class SpeculativeBranches;
class Targets;
class UninitUses;
class Witnesses;

class ControlDecisions : private EngineComponent {
public:
  explicit ControlDecisions(Engine &engine);

  bool onBranch(State &s);
  bool onSwitch(State &s);
  bool onIndirectBr(State &s);
  bool onIndirectCall(State &s);
  void commitJump(State &s, const program::Inst *target, uint64_t coverIndex);

private:
  /// A branch at which the state goes on without its input; nullopt: it has it now, or (false) is
  /// not here.
  std::optional<bool> onBranchUnasked(State &s, ExprPtr cond);
  void commitSide(State &s, const program::Inst *ip, bool side);
  /// The same for a side that was not the only one.
  void commitDecided(State &s, const program::Inst *ip, bool side);
  bool leadsNowhere(State &s, ExprPtr address);

  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  InputSides &inputSides_;
  SpeculativeBranches &guesses_;
  AssumedMemory &assumed_;
  Forks &forks_;
  UninitUses &uninitUses_;
  Targets &targets_;
  CheckDecisions &checkDecisions_;
  BugReports &bugs_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
