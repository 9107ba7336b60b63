// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An executor on a small C program, without searcher and results folder: a test runs the states
// itself.
#ifndef FATHOM_UNITTESTS_EXPLORE_SUPPORT_H
#define FATHOM_UNITTESTS_EXPLORE_SUPPORT_H

#include "explore/search/Searcher.h"
#include "explore/SymbolicExecutor.h"
#include "program/Decode.h"
#include "solver/Chain.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::explore::test {

/// Compiles C with clang -O0 and decodes it. main has no libc below it; __fathom_make_symbolic and
/// the like are declared. Fails the test if it does not compile.
program::Program compile(const std::string &source);

/// Keeps what it is given.
struct Kept final : ResultSink {
  std::vector<TestCase> tests;
  std::vector<Bug> bugs;
  bool onTest(const TestCase &test) override {
    tests.push_back(test);
    return true;
  }
  bool onBug(const Bug &bug) override {
    bugs.push_back(bug);
    return true;
  }
  void onProgress(const Stats &) override {}
  void onEcho(int, const std::string &) override {}
};

/// A chain that answers what the test wants before it answers itself.
using Reply = std::function<std::optional<solver::Answer>(const solver::Query &)>;

/// Nothing depends on the machine's load.
inline ExploreOptions exactly() {
  ExploreOptions options;
  options.branchChecks = BranchChecks::Eager;
  return options;
}

class Rig {
public:
  explicit Rig(const program::Program &program, Reply reply = {},
               ExploreOptions options = exactly());
  ~Rig();

  /// Runs states, the newest first, until none is left or this many turns are over. `between` sees
  /// all live states after each turn.
  void run(std::vector<std::unique_ptr<State>> states, unsigned turns = ~0u,
           const std::function<void(const std::vector<std::unique_ptr<State>> &)> &between = {});
  /// The same from the start of the program.
  void runAll();
  /// From the start of the program until no state is left, the searcher's choice at each turn.
  void runAll(Searcher &searcher);

  /// Status and branch trace of every completed path, sorted.
  std::vector<std::string> paths() const;

  expr::ExprContext context;
  ExploreOptions options;
  Stats stats;
  Ledger ledger;
  Kept kept;
  std::unique_ptr<solver::FeasibilityOracle> oracle;
  std::unique_ptr<SymbolicExecutor> executor;
  std::vector<std::unique_ptr<State>> live; ///< what run left
};

/// Runs so many turns in one rig, then leads the other along the logs of what is left and runs it
/// to the end. In the end `after` has the tests of both.
void runInTwo(Rig &before, unsigned turns, Rig &after);

} // namespace fathom::explore::test
#endif
