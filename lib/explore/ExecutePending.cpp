// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways that a path passes without asking about them (Pending.h), and asking later.
//
// To the log of a path "later" is one more answer. It is followed by the entry of a fork, as it
// is for a side that is known to be feasible: so a pending state is handed over, stored and brought
// back as any other, and what it was told when it asked follows in its own log.
#include "explore/Executor.h"

namespace fathom::explore {

bool Executor::leavesQuestions(const State &s) const {
  // Where results of external functions are on the path, an answer changes the witness in more than
  // what was asked.
  return !s.hasExact && !mayBeTooDeep(s) && asking_.leaves(s.seeds != nullptr);
}

/// With what it left it may have as many forks as there may be: only asking tells which are.
bool Executor::mayBeTooDeep(const State &s) const {
  return options_.maxDepth && uint64_t(s.forks) + s.left >= options_.maxDepth;
}

bool Executor::splitsAddresses(const State &s) const {
  return leavesQuestions(s) && asking_.triesShortly();
}

Executor::Feasible Executor::feasibleOrLater(State &s, ExprPtr condition,
                                             std::shared_ptr<const expr::Model> &model,
                                             uint32_t branchId, Unanswered lost) {
  const bool leaves = leavesQuestions(s);
  attemptsMade_ = 0;
  if (s.script || s.discarded || s.hasExact || condition->has(expr::kHasApply) || mayBeTooDeep(s) ||
      !(leaves || asking_.triesShortly()))
    return feasible(s, condition, model, branchId, lost);
  if (condition->isFalse()) return Feasible::No;
  model = seedWith(s, condition);
  Feasible answer = Feasible::Yes;
  if (!model && leaves) {
    answer = askFree(s, condition, model);
  } else if (!model) {
    answer = askShortly(s, condition, model, branchId, lost, 0);
    if (cut_) return Feasible::No;
    if (answer == Feasible::Later) attemptsMade_ = 1;
  }
  s.log.append(static_cast<uint64_t>(answer));
  return answer;
}

Executor::Feasible Executor::askShortly(State &s, ExprPtr condition,
                                        std::shared_ptr<const expr::Model> &model,
                                        uint32_t branchId, Unanswered lost, unsigned attempts) {
  attempt_ = asking_.timeFor(attempts, options_.solverTimeout);
  attemptFailed_ = false;
  const Feasible answer = ask(s, condition, model, branchId, lost);
  attempt_.reset();
  return attemptFailed_ ? Feasible::Later : answer;
}

Executor::Feasible Executor::askFree(State &s, ExprPtr condition,
                                     std::shared_ptr<const expr::Model> &model) {
  if (holdsUnderWitness(s, condition)) {
    model = s.witness;
    return Feasible::Yes;
  }
  solver::Answer answer = oracle_.check({.path = s.path,
                                         .goal = condition,
                                         .witness = s.witness.get(),
                                         .witnessFails = true,
                                         .witnessVersion = s.witnessVersion,
                                         .onlyFree = true});
  switch (answer.kind) {
  case solver::AnswerKind::Sat:
    model = std::make_shared<const expr::Model>(std::move(answer.model));
    return Feasible::Yes;
  case solver::AnswerKind::Unsat: return Feasible::No;
  default: return Feasible::Later;
  }
}

State &Executor::leave(State &s, Pending what) {
  stats_.sidesLeft++;
  what.attempts = attemptsMade_;
  State &t = branchOff(s);
  if (!what.target) again(t);
  t.seeds = nullptr; // none goes this way
  s.left += what.kind == Pending::Kind::Way && what.forks;
  t.pending = std::make_shared<const Pending>(std::move(what));
  return t;
}

void Executor::leaveCheck(State &s, ExprPtr condition, BugKind kind, const ObjectState *object) {
  Pending check{.kind = Pending::Kind::Check, .condition = condition};
  if (!options_.allBugInputs && !options_.runFaultHandlers) {
    check.bug = kind;
    check.object = object ? object->base() : 0;
  }
  leave(s, std::move(check));
}

bool Executor::isNeedless(const State &s, const Pending &check) {
  if (!check.bug || isFollowed(s)) return false;
  const ObjectState *object = check.object ? s.memory.find(check.object) : nullptr;
  return isReported(s, bugKey(s, *check.bug, object));
}

bool Executor::goesOnWith(State &s, ExprPtr condition) {
  std::shared_ptr<const expr::Model> model;
  const Feasible answer = feasibleOrLater(s, condition, model);
  if (answer == Feasible::Later) leave(s, {.condition = condition, .forks = false});
  if (answer != Feasible::Yes) return false;
  assume(s, condition, model);
  return true;
}

bool Executor::askPending(State &s) {
  const std::shared_ptr<const Pending> wanted = s.pending; // outlives its place in the state
  const Pending &side = *wanted;
  const Unanswered lost = side.kind == Pending::Kind::Way     ? Unanswered::Path
                          : side.kind == Pending::Kind::Check ? Unanswered::Bug
                                                              : Unanswered::Nothing;
  const bool forks = side.kind == Pending::Kind::Way && side.forks;
  if (forks && boundForbids(s)) {
    if (tooDeep_) ledger_.add("bound-depth", where(s), "a way that was left behind (--max-depth)");
    tooDeep_ = false;
    return false;
  }
  if (isNeedless(s, side)) {
    s.pending = nullptr;
    stats_.sidesAsked++; // it has its answer
    return false;
  }
  std::shared_ptr<const expr::Model> model = s.witness; // of a script: a new one comes with assume
  const std::optional<uint64_t> known = scripted(s);
  const Feasible answer =
      known ? static_cast<Feasible>(*known)
            : askShortly(s, side.condition, model, side.branchId, lost, side.attempts);
  if (answer == Feasible::Later) { // it waits on, and has more time when it is asked again
    Pending again = side;
    again.attempts++;
    s.pending = std::make_shared<const Pending>(std::move(again));
    return true;
  }
  if (cut_) return false;
  if (!known) s.log.append(static_cast<uint64_t>(answer));
  stats_.sidesAsked += !isFollowed(s);
  s.pending = nullptr;
  if (side.kind == Pending::Kind::Others) {
    if (answer != Feasible::No) notePinned(s, side.why);
    return false;
  }
  if (answer != Feasible::Yes) {
    stats_.sidesClosed += answer == Feasible::No;
    return false;
  }
  s.forks += forks;
  stats_.forks += forks;
  stats_.states += forks;
  assume(s, side.condition, model);
  if (!side.target) return true; // decided when the instruction is run again
  s.took(side.side);
  machine.state = &s;
  if (side.own) machine.traceBranch(side.branchId, side.side);
  commitJump(s, side.target, side.coverIndex);
  return true;
}

} // namespace fathom::explore
