// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of memory that was never written, when something is decided by it.
#ifndef FATHOM_EXPLORE_DECIDE_UNINITUSES_H
#define FATHOM_EXPLORE_DECIDE_UNINITUSES_H

#include "explore/decide/EngineComponent.h"
#include "explore/Results.h"
#include "explore/state/State.h"

#include <set>

namespace fathom::explore {

class FeasibilityChecks;
class BugReports;
class Decisions;
struct Engine;
class Forks;
class LogFollower;
class Places;
class Witnesses;

class UninitUses : private EngineComponent {
public:
  explicit UninitUses(Engine &engine);

  /// e is about to decide something (`use`: "a branch"). Reports when that depends on memory never
  /// written, which from then on is anything: a symbol. Returns what to go on with: e, without
  /// those unwritten bytes that do not matter. What still has some (kHasUninit) has been reported:
  /// what it leads to is no bug of its own.
  ExprPtr settleUninit(State &s, ExprPtr e, const char *use);
  /// e without unwritten bytes, where none of those that it depends on can change it; otherwise e.
  /// Nothing is reported: nothing is decided by it.
  ExprPtr whereNoneMatters(State &s, ExprPtr e);

private:
  void reportUnwritten(State &s, std::span<const uint32_t> numbers,
                       std::span<const Unwritten::Source> before, const char *use,
                       const std::shared_ptr<const expr::Model> &model, ExprPtr differs);
  void addUnwritten(State &s, std::span<const ExprPtr> reads);
  void settleState(State &s);
  /// The witness, with values of these bytes under which the condition holds; null: none was found.
  std::shared_ptr<const expr::Model> modelThatDiffers(State &s, ExprPtr differs,
                                                      std::span<const ExprPtr> reads);

  std::set<Unwritten::Source> reportedSources_;
  /// Places at which what was reported is used as well.
  std::set<std::pair<Unwritten::Source, uint64_t>> followed_;

  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  Forks &forks_;
  BugReports &bugs_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
