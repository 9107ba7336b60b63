// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which bugs are the same, which have a report, and which an input shows.
#ifndef FATHOM_EXPLORE_DECIDE_BUGREPORTS_H
#define FATHOM_EXPLORE_DECIDE_BUGREPORTS_H

#include "explore/decide/EngineComponent.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/Results.h"
#include "explore/state/State.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace fathom::explore {

struct Engine;
class Places;
class ShowBug;
class Symcretes;
class TestBuilder;

/// Bugs with equal keys are the same bug: kind, the folded stack of the program's own calls, and
/// where the object was allocated.
struct BugKey {
  evidence::BugKind kind{};
  uint64_t place = 0; ///< the innermost of the own calls
  uint64_t stack = 0; ///< all of them, and the object's
};

class BugReports : private EngineComponent {
public:
  explicit BugReports(Engine &engine);

  bool hasReported(const BugKey &key) const;
  /// Are bugs of this kind reported (ExploreOptions::bugKinds)?
  bool isWanted(evidence::BugKind kind) const;
  /// Is a query worthwhile that asks whether there is such a bug here?
  bool looksFor(State &s, evidence::BugKind kind, const ObjectState *object = nullptr) {
    return isWanted(kind) && (options_.allBugInputs || !alreadyReported(s, kind, object));
  }
  /// condition: makes it a bug, besides the path condition, and holds under the model; null: the
  /// path condition alone does. sources: Bug::sources of an uninitialised read. way: number of this
  /// failure among several at one instruction, for the input's identity.
  void report(State &s, evidence::BugKind kind, const std::string &message,
              std::shared_ptr<const expr::Model> model, const ObjectState *object = nullptr,
              ExprPtr condition = nullptr, bool pathGoesOn = false,
              std::vector<uint64_t> sources = {}, uint64_t way = 0);
  /// The path ends by a bug that is not reported: for ExploreOptions::notesEarlierBugs.
  void noteEarlier(const State &s, evidence::BugKind kind, const std::string &message,
                   const ObjectState *object, bool pathGoesOn);
  /// Adds the place of the site, with its callers: "freed in f", "called from g".
  void addRelated(Bug &bug, const char *what, const Memory::AllocSite &at) const;
  /// Reports another place of a reported bug; the sink recognises it by its sources.
  void reportFollowing(State &s, evidence::BugKind kind, const std::string &message,
                       const expr::Model &model, std::vector<uint64_t> sources);
  BugKey bugKey(const State &s, evidence::BugKind kind, const ObjectState *object);
  /// Is the bug reported, or is it one more stack of a place that has enough reports? The latter
  /// goes to the ledger.
  bool isReported(const State &s, const BugKey &key);
  bool alreadyReported(State &s, evidence::BugKind kind, const ObjectState *object = nullptr) {
    // Other paths decide that: it goes into the log.
    return follower_.logged(s, Record::Known,
                            [&] { return isReported(s, bugKey(s, kind, object)); });
  }

private:
  /// Two pointers of callers lead to one object, and it was freed through one of them. The path
  /// ends at the first use through the other, which is the defect of such callers.
  bool isOfAliases(const ObjectState *object) const;
  /// Does an input show the bug? Then `model` is such an input; otherwise the bug is in the ledger,
  /// or the event was cut short.
  bool confirmBug(State &s, const BugKey &key, const std::string &message, ExprPtr condition,
                  std::shared_ptr<const expr::Model> &model);
  void addAllocation(Bug &bug, const ObjectState &object) const;

  /// The stacks of each kind and place.
  std::map<std::pair<evidence::BugKind, uint64_t>, std::set<uint64_t>> reported_;
  /// Bugs for which no input was found yet: how often they were met, and the first message.
  struct Unconfirmed {
    unsigned times = 0;
    std::string message;
  };
  std::map<std::pair<uint64_t, evidence::BugKind>, Unconfirmed> unconfirmed_;
  /// Bugs that have a report: how often they were met after results that are guessed.
  std::map<std::pair<uint64_t, evidence::BugKind>, unsigned> metAgain_;

  Places &places_;
  LogFollower &follower_;
  Symcretes &symcretes_;
  ShowBug &showBug_;
  TestBuilder &tests_;
};

} // namespace fathom::explore
#endif
