// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries about a path, and what follows from their answers: constraints, forks over values, and
// queries that are left for later (Pending.h).
//
//   feasible           asks now, with the full time limit
//   probe              the same, where no path depends on the answer
//   feasibleOrLater    asks the cheap stages, or with a short time limit; may answer Later
//   checkOtherSide     the same, but a limit on forks may forbid to ask
//   assumeIfFeasible   feasibleOrLater, then adds the condition to the path
//   askPending         asks the query of a pending state
//
// The log of a path (PathLog.h) has a record for each answer, and Later is one of them. The record
// of a fork follows it, as for a side that is known to be feasible:
//
//   state that goes on   Answer Later, Fork 0, ...
//   pending state        Answer Later, Fork 1, Answer Yes, ...
//
// So a pending state is handed over, stored and restored like any other, and the answer to its
// query comes later in its own log.
#ifndef FATHOM_EXPLORE_DECIDE_FEASIBILITYCHECKS_H
#define FATHOM_EXPLORE_DECIDE_FEASIBILITYCHECKS_H

#include "explore/decide/EngineComponent.h"
#include "explore/policy/BranchCheckPolicy.h"
#include "explore/state/State.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace fathom::explore {

class BugReports;
class ControlDecisions;
class Decisions;
struct Engine;
class Forks;
class InputSides;
class LogFollower;
class Places;
class SeedPaths;
class Symcretes;
class UninitUses;
class Witnesses;

/// Later: the query is left to a pending state (Forks::leave). Guessed: no query was asked
/// (SpeculativeBranches.h).
enum class Feasible : uint8_t { No, Yes, Unknown, Later, Guessed };

/// What the run loses if the solver does not know; for the text of the ledger's entry.
enum class LossIfUnknown : uint8_t { Path, Bug, Nothing };

class FeasibilityChecks : private EngineComponent {
public:
  explicit FeasibilityChecks(Engine &engine);

  /// Can `condition` hold on this path? On Yes `model` satisfies path AND condition. Unknown has
  /// been put into the ledger.
  /// \param branchId  program::BranchId of the branch that the query is for
  Feasible feasible(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = kNoBranch, LossIfUnknown lost = LossIfUnknown::Path);
  /// The same, if no path depends on the answer.
  Feasible probe(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                 LossIfUnknown lost) {
    return feasible(s, condition, model, kNoBranch, lost);
  }
  /// One query of the solver, about this path condition instead of that of s. Nothing is written
  /// into the path's log.
  Feasible askPath(State &s, const solver::PathCondition &path, ExprPtr condition,
                   const std::shared_ptr<const expr::Model> &witness,
                   std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                   LossIfUnknown lost);
  /// Adds a condition that is known to be feasible with this model.
  void assume(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  /// Like feasibleOrLater(), for a side or value that the witness does not take. Returns Unknown
  /// without a query if a limit forbids forks. The log has a record in both cases, so it can be
  /// replayed under other limits.
  Feasible checkOtherSide(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                          uint32_t branchId = kNoBranch);
  /// Whether a symbolic index gets the witness's value here, and a pending state the other values.
  /// True if queries are left for later: a term over memory at any index makes all later queries
  /// more expensive.
  bool forksOnAddresses(const State &s) const;
  /// Like feasible(), or Later if the policy says so and no cheap stage answers.
  Feasible feasibleOrLater(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                           uint32_t branchId = kNoBranch, LossIfUnknown lost = LossIfUnknown::Path);
  /// Adds the condition to the path if it is feasible. Returns false if the state cannot go on:
  /// also if the query was left for later, for then a pending state goes on with the condition.
  bool assumeIfFeasible(State &s, ExprPtr condition);
  /// Asks the query that the state waits for. Returns true if the state can go on, or still waits
  /// (State::pending); false if it has ended.
  bool askPending(State &s);
  /// The timeout of one query: it ends before the deadline, but for a minimum of 10 ms.
  std::chrono::milliseconds queryTimeout() const;
  /// Makes e one value here, that of the witness, and forks a state for the others, which runs the
  /// instruction again. Nothing is lost by it. Returns the value.
  uint64_t splitOnValue(State &s, ExprPtr e);
  /// Pins e to one value, with a ledger entry if e has other values. Returns the value.
  uint64_t concretize(State &s, ExprPtr e, const std::string &why) {
    return concretize(s, e, [&](uint64_t) { return why; });
  }
  /// The same, where the entry depends on the value.
  uint64_t concretize(State &s, ExprPtr e, const std::function<std::string(uint64_t)> &why);
  /// The entry of a value that was pinned.
  void notePinned(State &s, const std::string &why);

  /// How often the query was asked for which feasibleOrLater has just returned Later: 0 or 1.
  /// Forks::leave reads it.
  unsigned attemptsMade = 0;

private:
  /// Asks about the path of s, or its exact path if the condition depends on external operations.
  Feasible ask(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
               uint32_t branchId, LossIfUnknown lost);
  static const char *consequenceOf(LossIfUnknown lost);
  /// Whether queries of this state are left for later.
  bool defersQueries(const State &s) const;
  /// Whether the pending forks of s may exceed --max-depth: only answers tell how many count.
  bool mayBeTooDeep(const State &s) const;
  /// Like ask(), in a time that grows with the attempts. Later: the time was too short, and further
  /// attempts follow.
  Feasible askShortly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                      uint32_t branchId, LossIfUnknown lost, unsigned attempts);
  /// Asks the cheap stages only; Later if none of them answers.
  Feasible askFree(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  /// Whether the bug that the query is about has been reported by now, and one report is enough.
  bool isObsolete(const State &s, const Pending &check);

  BranchCheckPolicy policy_;
  /// For a query that can be asked again: its time, and whether it was too short.
  std::optional<std::chrono::milliseconds> attempt_;
  bool attemptFailed_ = false;

  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  SeedPaths &seedPaths_;
  InputSides &inputSides_;
  Forks &forks_;
  Symcretes &symcretes_;
  UninitUses &uninitUses_;
  ControlDecisions &controlDecisions_;
  BugReports &bugs_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
