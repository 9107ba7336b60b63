// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends paths, with a test if they show something new.
#ifndef FATHOM_EXPLORE_DECIDE_PATHENDS_H
#define FATHOM_EXPLORE_DECIDE_PATHENDS_H

#include "explore/decide/EngineComponent.h"
#include "explore/Results.h"
#include "explore/state/State.h"

#include <optional>

namespace fathom::explore {

class FeasibilityChecks;
struct Engine;
class SpeculativeBranches;
class Places;
class Policy;
class Symcretes;
class TestBuilder;
class TestCoverage;
class Witnesses;

class PathEnds : private EngineComponent {
public:
  explicit PathEnds(Engine &engine);
  /// The policy is told of each path that ends (Policy::ended).
  void watch(Policy &policy) { watchers_.push_back(&policy); }

  /// Gives up a state that is not finished: a test marked partial when it covers something new, and
  /// a ledger entry when there is a category.
  void abandon(State &state, std::optional<evidence::LedgerCategory> category,
               const std::string &why);
  /// For a state that continues as a part of another one, with --only-new-coverage: makes a test
  /// marked partial, if the state was the first to cover something. Its path condition is no longer
  /// that of the path.
  void leaveTest(State &state, const std::string &why);
  /// Ends a path that ends well and of which only the input is unknown: with --only-new-coverage it
  /// needs no input if it covers nothing new. True: it has ended.
  bool endUnasked(State &s);
  /// `exitValue`, if there is one: the status is its low byte, for the input that the test has in
  /// the end.
  void endPath(State &s, EndKind end, int status, const std::string &why,
               ExprPtr exitValue = nullptr);

private:
  void honourPreferences(State &s);
  /// What a replay compares for a merged state's test: the trace of its input, for which the input
  /// is run once more, or nothing.
  enum class MergedTrace : uint8_t { OfInput, None };
  /// isNew: it covers what no test did before.
  void writeTest(State &s, EndKind end, int status, const std::string &why, ExprPtr exitValue,
                 bool isNew, MergedTrace trace);

  Engine &engine_;
  std::vector<Policy *> watchers_;
  SpeculativeBranches &guesses_;
  Places &places_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  Symcretes &symcretes_;
  TestCoverage &testCoverage_;
  TestBuilder &tests_;
};

} // namespace fathom::explore
#endif
