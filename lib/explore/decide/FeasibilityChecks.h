// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries about a path, and what follows from their answers: constraints, forks over values, and
// queries that are left for later (Pending.h).
//
// In the log of a path, "later" is one more answer. The entry of a fork follows it, as for a side
// that is known to be feasible. So a pending state is handed over, stored and restored like any
// other, and the answer to its query comes later in its own log.
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
class LogFollower;
class Places;
class SeedPaths;
class Symcretes;
class UnwrittenUses;
class Witnesses;

/// Later: the query is left to a pending state (leave). Guessed: no query was asked
/// (SpeculativeBranches.h).
enum class Feasible : uint8_t { No, Yes, Unknown, Later, Guessed };

/// What is lost if the solver does not know, for the ledger.
enum class Unanswered : uint8_t { Path, Bug, Nothing };

class FeasibilityChecks : private EngineComponent {
public:
  explicit FeasibilityChecks(Engine &engine);

  /// Can `condition` hold on this path? On Yes `model` satisfies path AND condition. Unknown has
  /// been put into the ledger.
  Feasible feasible(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = ~0u, Unanswered lost = Unanswered::Path);
  /// The same, if no path depends on the answer.
  Feasible probe(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                 Unanswered lost) {
    return feasible(s, condition, model, ~0u, lost);
  }
  Feasible askPath(State &s, const solver::PathCondition &path, ExprPtr condition,
                   const std::shared_ptr<const expr::Model> &witness,
                   std::shared_ptr<const expr::Model> &model, uint32_t branchId, Unanswered lost);
  /// Adds a condition that is known to be feasible with this model.
  void assume(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  /// Like feasible(), for another way than the witness's. Unknown, without a query, if a bound
  /// forbids to fork (noted). The log has the same record in both cases, so it can be replayed
  /// under other bounds.
  Feasible otherWay(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = ~0u);
  /// Does a symbolic index take the witness's value, while the other values wait? True if queries
  /// are left for later: a term over memory at any index makes all later queries more expensive.
  bool splitsAddresses(const State &s) const;
  /// Like feasible(), or Later if the policy says so and no cheap stage answers.
  Feasible feasibleOrLater(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                           uint32_t branchId = ~0u, Unanswered lost = Unanswered::Path);
  /// Can the path go on with the condition? If the witness does not fulfil it, and the query is
  /// left for later, a pending state goes on, and the answer is No.
  bool goesOnWith(State &s, ExprPtr condition);
  /// Asks the query that the state waits for. Does the state go on, or still wait?
  bool askPending(State &s);
  /// The timeout of one query: it never ends behind the deadline.
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

  unsigned attemptsMade = 0; ///< at the question that feasibleOrLater left last

private:
  Feasible ask(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
               uint32_t branchId, Unanswered lost);
  static const char *consequenceOf(Unanswered lost);
  bool leavesQuestions(const State &s) const;
  bool mayBeTooDeep(const State &s) const;
  /// Like ask(), in a time that grows with the attempts. Later: the time was too short, and further
  /// attempts follow.
  Feasible askShortly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                      uint32_t branchId, Unanswered lost, unsigned attempts);
  Feasible askFree(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  /// Has the bug a report by now, and is one enough?
  bool isNeedless(const State &s, const Pending &check);

  BranchCheckPolicy policy_;
  /// For a query that can be asked again: its time, and whether it was too short.
  std::optional<std::chrono::milliseconds> attempt_;
  bool attemptFailed_ = false;

  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  SeedPaths &seedPaths_;
  Forks &forks_;
  Symcretes &symcretes_;
  UnwrittenUses &unwrittenUses_;
  ControlDecisions &controlDecisions_;
  BugReports &bugs_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
