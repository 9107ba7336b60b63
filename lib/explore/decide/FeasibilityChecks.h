// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about a path, and what follows from their answers: constraints, forks over values, and
// what is left for later (Pending.h).
//
// To the log of a path "later" is one more answer. It is followed by the entry of a fork, as it is
// for a side that is known to be feasible: so a pending state is handed over, stored and brought
// back as any other, and what it was told when it asked follows in its own log.
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

/// Later: the question is left to a pending state (leave). Guessed: it was not asked
/// (SpeculativeBranches.h).
enum class Feasible : uint8_t { No, Yes, Unknown, Later, Guessed };

/// What is lost when the solver does not know, for the ledger.
enum class Unanswered : uint8_t { Path, Bug, Nothing };

class FeasibilityChecks : private EngineComponent {
public:
  explicit FeasibilityChecks(Engine &engine);

  /// Can `condition` hold on this path? On Yes `model` satisfies path AND condition. Unknown has
  /// been put into the ledger.
  Feasible feasible(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = ~0u, Unanswered lost = Unanswered::Path);
  /// The same, where no path depends on it.
  Feasible probe(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                 Unanswered lost) {
    return feasible(s, condition, model, ~0u, lost);
  }
  Feasible askPath(State &s, const solver::PathCondition &path, ExprPtr condition,
                   const std::shared_ptr<const expr::Model> &witness,
                   std::shared_ptr<const expr::Model> &model, uint32_t branchId, Unanswered lost);
  /// Adds a condition that is known to be feasible with this model.
  void assume(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  /// feasible, for another way than the witness's: Unknown, without asking, when a bound forbids to
  /// fork (noted). To a log that is the same, whatever the bounds are under which it is followed.
  Feasible otherWay(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = ~0u);
  /// Does a symbolic index become the witness's, while the others wait? Where questions are left
  /// for later: terms over what may lie anywhere make all later ones dearer.
  bool splitsAddresses(const State &s) const;
  /// feasible, or Later where the policy says so and nothing answers for free.
  Feasible feasibleOrLater(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                           uint32_t branchId = ~0u, Unanswered lost = Unanswered::Path);
  /// Can the path go on with the condition? Where the witness does not fulfil it, and the question
  /// is left for later, a pending state goes on, and the answer is No.
  bool goesOnWith(State &s, ExprPtr condition);
  /// Asks what the state waits for. Does it go on, or still wait?
  bool askPending(State &s);
  /// Of one query: never past the deadline.
  std::chrono::milliseconds queryTimeout() const;
  /// Makes e one value here, that of the witness, and forks a state for the others, which runs the
  /// instruction again. Nothing is lost by it. Returns the value.
  uint64_t splitOnValue(State &s, ExprPtr e);
  /// Pins e to one value; ledger entry when it has others. Returns the value.
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
  /// ask, in a time that grows with the attempts. Later: it was too short, and not the last one.
  Feasible askShortly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                      uint32_t branchId, Unanswered lost, unsigned attempts);
  Feasible askFree(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  /// Has the bug a report by now, and is one enough?
  bool isNeedless(const State &s, const Pending &check);

  BranchCheckPolicy policy_;
  /// Of a question that can be asked again: its time, and whether it was too short.
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
