// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/FeasibilityChecks.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/BugReports.h"
#include "explore/decide/ControlDecisions.h"
#include "explore/decide/Forks.h"
#include "explore/decide/InputSides.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/SeedPaths.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"
#include "explore/external/Symcretes.h"

#include <algorithm>

namespace fathom::explore {

using evidence::LedgerCategory;

std::chrono::milliseconds FeasibilityChecks::queryTimeout() const {
  // Where the solver counts its steps they are to end a query. The clock is a backstop, out of
  // reach of what the steps usually take.
  constexpr int kBackstop = 10;
  const std::chrono::milliseconds usual =
      attempt_.value_or(options_.solverTimeout) * (options_.solver.z3ResourceLimit ? kBackstop : 1);
  if (stepContext_.deadline == solver::Clock::time_point{}) return usual;
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(stepContext_.deadline -
                                                                    solver::Clock::now());
  return std::min(usual, std::max(left, std::chrono::milliseconds(10)));
}

Feasible FeasibilityChecks::feasible(State &s, ExprPtr condition,
                                     std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                     LossIfUnknown lost) {
  if (condition->isFalse() || s.discarded) return Feasible::No;
  if (std::optional<uint64_t> known = follower_.replayed(s, Record::Answer)) {
    model = s.witness; // assume brings a new one
    return static_cast<Feasible>(*known);
  }
  model = seedPaths_.seedWith(s, condition);
  Feasible answer = model ? Feasible::Yes : ask(s, condition, model, branchId, lost);
  if (stepContext_.cut) return Feasible::No; // no answer: nothing to be kept
  s.log.append(Record::Answer, static_cast<uint64_t>(answer));
  return answer;
}

const char *FeasibilityChecks::consequenceOf(LossIfUnknown lost) {
  switch (lost) {
  case LossIfUnknown::Bug: return ": a bug on inputs for which the condition holds may be missed";
  case LossIfUnknown::Nothing: return ": no path was dropped";
  case LossIfUnknown::Path: break;
  }
  return ": the path on which the condition holds was dropped";
}

Feasible FeasibilityChecks::ask(State &s, ExprPtr condition,
                                std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                LossIfUnknown lost) {
  if (condition->has(expr::kHasApply) || (s.hasExact && symcretes_.wantsExact(s, condition)))
    return symcretes_.askExactly(s, condition, model, branchId, lost);
  Feasible answer = askPath(s, s.path, condition, s.witness, model, branchId, lost);
  if (answer == Feasible::Yes && s.hasExact) symcretes_.fitResults(s, condition, model);
  return answer;
}

Feasible FeasibilityChecks::askPath(State &s, const solver::PathCondition &path, ExprPtr condition,
                                    const std::shared_ptr<const expr::Model> &witness,
                                    std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                    LossIfUnknown lost) {
  solver::Query query{.path = path,
                      .goal = condition,
                      .witness = witness.get(),
                      .witnessVersion = s.witnessVersion,
                      .branchId = branchId,
                      .timeout = queryTimeout(),
                      .asksAgain = attempt_ && *attempt_ < options_.solverTimeout};
  auto start = solver::Clock::now();
  solver::Answer answer = oracle_.check(query);
  stats_.queries++;
  stats_.exactQueries += answer.dependsOnExternalResults || condition->has(expr::kHasApply);
  const auto end = solver::Clock::now();
  const std::chrono::duration<double> took = end - start;
  stats_.solverSeconds += took.count();
  stats_.checkTimes.add(took.count(), std::chrono::duration<double>(query.timeout).count());
  policy_.asked(took, end);
  switch (answer.kind) {
  case solver::AnswerKind::Sat:
    model =
        answer.isWitness ? witness : std::make_shared<const expr::Model>(std::move(answer.model));
    return Feasible::Yes;
  case solver::AnswerKind::Unsat: return Feasible::No;
  default:
    const bool timedOut = answer.why == solver::UnknownReason::Timeout;
    if (stepContext_.cutShort(s, timedOut &&
                                     query.timeout < attempt_.value_or(options_.solverTimeout)))
      return Feasible::Unknown;
    if (timedOut && attempt_ && *attempt_ < options_.solverTimeout) {
      attemptFailed_ = true;
      return Feasible::Unknown;
    }
    // Where steps are counted the clock is a backstop, and what it ends may not end elsewhere.
    const char *byClock = timedOut && (options_.maxInstructions || solver::Clock::isDegraded())
                              ? " (by the clock: another run may differ)"
                              : "";
    ledger_.add(timedOut ? LedgerCategory::SolverTimeout : LedgerCategory::SolverUnknown,
                places_.where(s), answer.reason + byClock + consequenceOf(lost));
    return Feasible::Unknown;
  }
}

void FeasibilityChecks::assume(State &s, ExprPtr condition,
                               const std::shared_ptr<const expr::Model> &model) {
  s.path.add(condition);
  if (s.hasExact) s.exact.add(symcretes_.exactTerm(s, condition));
  if (s.discarded) return;
  if (model && model == symcretes_.opening && model != s.witness && !s.opened) {
    s.opened = true;
    stats_.openedStates++;
  }
  const bool seeded = seedPaths_.keepSeeds(s, condition, model);
  if (std::optional<uint64_t> changes = follower_.replayed(s, Record::Witness))
    witnesses_.adoptReplayedWitness(s, *changes);
  else
    witnesses_.adoptWitness(s, seeded ? s.seeds->front().model : model);
}

Feasible FeasibilityChecks::checkOtherSide(State &s, ExprPtr condition,
                                           std::shared_ptr<const expr::Model> &model,
                                           uint32_t branchId) {
  if (condition->isFalse() || !forks_.boundForbids(s))
    return feasibleOrLater(s, condition, model, branchId);
  s.log.append(Record::Answer, static_cast<uint64_t>(Feasible::Unknown));
  return Feasible::Unknown;
}

uint64_t FeasibilityChecks::splitOnValue(State &s, ExprPtr e) {
  if (e->isConst()) return e->value();
  uint64_t mine = witnesses_.witnessValue(s, e);
  ExprPtr is = ctx_.eq(e, ctx_.constant(mine, e->width())), others = ctx_.bvNot(is);
  std::shared_ptr<const expr::Model> model;
  Feasible answer = checkOtherSide(s, others, model);
  if (answer == Feasible::Later) forks_.leave(s, Pending::Kind::Way, others);
  if (answer == Feasible::Yes)
    if (State *t = forks_.forkAgain(s)) assume(*t, others, model);
  if (answer != Feasible::No) assume(s, is, s.witness);
  decisions_.took(s, mine, is);
  return mine;
}

void FeasibilityChecks::notePinned(State &s, const std::string &why) {
  ledger_.add(LedgerCategory::ConcretizedValue, places_.where(s), why);
  stats_.concretizations++;
}

uint64_t FeasibilityChecks::concretize(State &s, ExprPtr e,
                                       const std::function<std::string(uint64_t)> &why) {
  if (e->has(expr::kHasUninit))
    e = uninitUses_.settleUninit(s, e, "a value that is used concretely");
  if (e->isConst()) return e->value();
  uint64_t v = witnesses_.witnessValue(s, e);
  ExprPtr is = ctx_.eq(e, ctx_.constant(v, e->width()));
  std::shared_ptr<const expr::Model> other;
  const Feasible answer =
      feasibleOrLater(s, ctx_.bvNot(is), other, kNoBranch, LossIfUnknown::Nothing);
  if (answer == Feasible::No) {
    decisions_.took(s, v, is);
    return v;
  }
  if (answer == Feasible::Later)
    forks_.leave(s, {.kind = Pending::Kind::Others, .condition = ctx_.bvNot(is), .why = why(v)});
  else
    notePinned(s, why(v));
  assume(s, is, s.witness);
  decisions_.took(s, v, is);
  return v;
}

bool FeasibilityChecks::defersQueries(const State &s) const {
  // Where results of external functions are on the path, an answer changes the witness in more than
  // what was asked.
  return !s.hasExact && !mayBeTooDeep(s) && !stepContext_.isNested &&
         policy_.leaves(s.seeds != nullptr);
}

bool FeasibilityChecks::mayBeTooDeep(const State &s) const {
  return options_.maxDepth && uint64_t(s.forks) + s.left >= options_.maxDepth;
}

bool FeasibilityChecks::forksOnAddresses(const State &s) const {
  return !s.isMerged && defersQueries(s) && policy_.forksOnAddresses();
}

Feasible FeasibilityChecks::feasibleOrLater(State &s, ExprPtr condition,
                                            std::shared_ptr<const expr::Model> &model,
                                            uint32_t branchId, LossIfUnknown lost) {
  const bool leaves = defersQueries(s);
  attemptsMade = 0;
  if (s.replayedLog || s.discarded || s.hasExact || condition->has(expr::kHasApply) ||
      mayBeTooDeep(s) || stepContext_.isNested || !(leaves || policy_.limitsFirstQuery()))
    return feasible(s, condition, model, branchId, lost);
  if (condition->isFalse()) return Feasible::No;
  model = seedPaths_.seedWith(s, condition);
  if (!model && branchId == kNoBranch && inputSides_.leavesOutOther(s)) return Feasible::Unknown;
  Feasible answer = Feasible::Yes;
  if (!model && leaves) {
    answer = askFree(s, condition, model);
  } else if (!model) {
    answer = askShortly(s, condition, model, branchId, lost, 0);
    if (stepContext_.cut) return Feasible::No;
    if (answer == Feasible::Later) attemptsMade = 1;
  }
  s.log.append(Record::Answer, static_cast<uint64_t>(answer));
  return answer;
}

Feasible FeasibilityChecks::askShortly(State &s, ExprPtr condition,
                                       std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                       LossIfUnknown lost, unsigned attempts) {
  attempt_ = policy_.timeFor(attempts, options_.solverTimeout);
  attemptFailed_ = false;
  const Feasible answer = ask(s, condition, model, branchId, lost);
  attempt_.reset();
  return attemptFailed_ ? Feasible::Later : answer;
}

Feasible FeasibilityChecks::askFree(State &s, ExprPtr condition,
                                    std::shared_ptr<const expr::Model> &model) {
  if (witnesses_.holdsUnderWitness(s, condition)) {
    model = s.witness;
    return Feasible::Yes;
  }
  solver::Answer answer = oracle_.check({.path = s.path,
                                         .goal = condition,
                                         .witness = s.witness.get(),
                                         .witnessFails = true,
                                         .witnessVersion = s.witnessVersion,
                                         .cheapStagesOnly = true});
  switch (answer.kind) {
  case solver::AnswerKind::Sat:
    model = std::make_shared<const expr::Model>(std::move(answer.model));
    return Feasible::Yes;
  case solver::AnswerKind::Unsat: return Feasible::No;
  default: return Feasible::Later;
  }
}

bool FeasibilityChecks::isObsolete(const State &s, const Pending &check) {
  if (!check.bug || LogFollower::isFollowed(s)) return false;
  const ObjectState *object = check.object ? s.memory.find(check.object) : nullptr;
  return bugs_.isReported(s, bugs_.bugKey(s, *check.bug, object));
}

bool FeasibilityChecks::assumeIfFeasible(State &s, ExprPtr condition) {
  std::shared_ptr<const expr::Model> model;
  const Feasible answer = feasibleOrLater(s, condition, model);
  if (answer == Feasible::Later) forks_.leave(s, {.condition = condition, .forks = false});
  if (answer != Feasible::Yes) return false;
  assume(s, condition, model);
  return true;
}

bool FeasibilityChecks::askPending(State &s) {
  const std::shared_ptr<const Pending> wanted = s.pending; // outlives its place in the state
  const Pending &side = *wanted;
  const LossIfUnknown lost = side.kind == Pending::Kind::Way     ? LossIfUnknown::Path
                             : side.kind == Pending::Kind::Check ? LossIfUnknown::Bug
                                                                 : LossIfUnknown::Nothing;
  const bool forks = side.kind == Pending::Kind::Way && side.forks;
  if (forks && forks_.boundForbids(s)) {
    if (stepContext_.tooDeep)
      ledger_.add(LedgerCategory::BoundDepth, places_.where(s),
                  "a branch side that was not explored (--max-depth)");
    stepContext_.tooDeep = false;
    return false;
  }
  if (isObsolete(s, side)) {
    s.pending = nullptr;
    stats_.sidesAsked++; // it has its answer
    return false;
  }
  std::shared_ptr<const expr::Model> model = s.witness; // when replaying, assume brings a new one
  const std::optional<uint64_t> known = follower_.replayed(s, Record::Answer);
  const Feasible answer =
      known ? static_cast<Feasible>(*known)
            : askShortly(s, side.condition, model, side.branchId, lost, side.attempts);
  if (answer == Feasible::Later) { // it waits on, and has more time when it is asked again
    Pending again = side;
    again.attempts++;
    s.pending = std::make_shared<const Pending>(std::move(again));
    return true;
  }
  if (stepContext_.cut) return false;
  if (!known) s.log.append(Record::Answer, static_cast<uint64_t>(answer));
  stats_.sidesAsked += !LogFollower::isFollowed(s);
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
  const bool isElse = interpreter_.unsimplified && !side.side &&
                      interpreter_.code.opAt(s.ip) == program::Op::CondJmp;
  decisions_.took(s, side.side, side.condition, false,
                  isElse ? decisions_.ofSide(ctx_.bvNot(side.condition), false) : nullptr);
  interpreter_.state = &s;
  if (side.own) interpreter_.coverage.traceBranch(s, side.branchId, side.side);
  controlDecisions_.commitJump(s, side.target, side.coverIndex);
  return true;
}

} // namespace fathom::explore
