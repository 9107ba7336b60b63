// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Forks.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"

namespace fathom::explore {

using evidence::LedgerCategory;

bool Forks::boundForbids(State &s) {
  if (LogFollower::isFollowed(s)) return false; // what was refused then, the log tells
  if (options_.maxDepth && s.forks >= options_.maxDepth) {
    stepContext_.tooDeep = true;
    return true;
  }
  if (!options_.maxForks || stats_.forks < options_.maxForks) return false;
  ledger_.add(LedgerCategory::BoundForks, places_.where(s),
              "the other side of a branch was not explored (--max-forks)");
  return true;
}

State *Forks::fork(State &s) {
  if (boundForbids(s)) {
    // A replay forks here, too, and drops the copy that is not on its path.
    s.log.append(Record::Fork, 0);
    return nullptr;
  }
  stats_.forks++;
  stats_.states++;
  stats_.openedStates += s.opened;
  stepContext_.step->ready++;
  s.forks++;
  return &branchOff(s);
}

State &Forks::branchOff(State &s) {
  auto copy = std::make_unique<State>(s);
  copy->id = nextStateId++;
  copy->forkedAt = s.log.size();
  copy->discarded = s.discarded;
  copy->log.append(Record::Fork, 1);
  s.log.append(Record::Fork, 0);
  if (s.replayedLog) follower_.followFork(s, *copy);
  Calls::ownTopFrame(
      *copy); // the copy's, so that references into the frame of s stay what they are
  stepContext_.step->forked.push_back(std::move(copy));
  return *stepContext_.step->forked.back();
}

State &Forks::leave(State &s, Pending what) {
  stats_.sidesLeft++;
  what.attempts = feasibility_.attemptsMade;
  State &t = branchOff(s);
  if (!what.target) decisions_.again(t);
  t.seeds = nullptr; // none goes this way
  s.left += what.kind == Pending::Kind::Way && what.forks;
  t.pending = std::make_shared<const Pending>(std::move(what));
  return t;
}

void Forks::leaveCheck(State &s, ExprPtr condition, evidence::BugKind kind,
                       const ObjectState *object) {
  Pending check{.kind = Pending::Kind::Check, .condition = condition};
  if (!options_.allBugInputs && !options_.runFaultHandlers) {
    check.bug = kind;
    check.object = object ? object->base() : 0;
  }
  leave(s, std::move(check));
}

} // namespace fathom::explore
