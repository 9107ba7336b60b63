// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes states: runs the interpreter until something needs a decision, decides it, and yields
// the successors. Engine.h lists its parts.
#ifndef FATHOM_EXPLORE_SYMBOLICEXECUTOR_H
#define FATHOM_EXPLORE_SYMBOLICEXECUTOR_H

#include "explore/decide/StepContext.h"
#include "explore/interpreter/Interpreter.h"
#include "explore/Results.h"
#include "explore/state/PathLog.h"
#include "explore/state/State.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::explore {

class PathReplayer;

class SymbolicExecutor {
public:
  /// shared: see Interpreter.
  SymbolicExecutor(const program::Program &program, expr::ExprContext &context,
                   solver::FeasibilityOracle &oracle, const ExploreOptions &options,
                   ResultSink &sink, Stats &stats, Ledger &ledger,
                   const ExecutableCode *shared = nullptr);
  ~SymbolicExecutor();

  /// The state before the first instruction, or null: `error` says why.
  std::unique_ptr<State> initialState(std::string &error);

  /// Runs the state until its path ends, it forks, or about `quantum` instructions are done.
  Step run(State &state, int64_t quantum);

  /// The state at the end of this log (PathLog::bytes; empty: the initial state), reached from the
  /// start of the program and without asking a solver. Null if the log is not one of this program
  /// under these options: `error` says so; or if the time was over: then `error` is empty.
  std::unique_ptr<State> restore(const PathPrefix &prefix, std::string &error);
  /// The state as a path to be restored, here or elsewhere.
  PathPrefix prefixOf(const State &state) const;
  /// What the path was the first to cover and no test covers yet, oldest first.
  std::vector<uint32_t> newlyCoveredOf(const State &state) const;
  /// Is the state the first to cover something that no test covers?
  bool coversUntested(const State &state) const;

  std::string where(const State &s) const; ///< "file:line in function" for the ledger

  /// Gives up a state that is not finished: a test marked partial when it covers something new, and
  /// a ledger entry when there is a category.
  void abandon(State &state, std::optional<evidence::LedgerCategory> category,
               const std::string &why);

  /// Tells the sink the state's input (ResultSink::onInput), if it covers something new since the
  /// last time and no test does. Unlike a test it claims no coverage.
  void tellInput(State &state);

  /// Terms that belong to no state (symbols that later paths will use again).
  void visitRoots(const std::function<void(ExprPtr)> &visit) const;

  /// Sets the counts of external calls in `stats`.
  void addExternalStats(Stats &stats) const;

  Engine &engine() { return *engine_; }

private:
  std::unique_ptr<Engine> engine_;

public:
  Interpreter &interpreter;
  StepContext &stepContext; ///< when the executor has to stop, and whether storing a result failed
  PathReplayer &restorer;   ///< restores many paths whose logs begin alike
};

} // namespace fathom::explore
#endif
