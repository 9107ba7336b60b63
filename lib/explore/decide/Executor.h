// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a state until its path ends, it forks, or its turn is over: the interpreter runs until
// something needs a decision, and the component that decides it yields the successors. A replay
// leads a state along a log in the same way.
#ifndef FATHOM_EXPLORE_DECIDE_EXECUTOR_H
#define FATHOM_EXPLORE_DECIDE_EXECUTOR_H

#include "explore/decide/EngineComponent.h"
#include "explore/decide/StepContext.h"
#include "explore/interpreter/Interpreter.h"
#include "explore/state/PathLog.h"
#include "explore/state/State.h"

namespace fathom::explore {

class Addresses;
class AssumedMemory;
class FeasibilityChecks;
class BugReports;
struct BuiltinCall;
class Builtins;
class CheckDecisions;
class ControlDecisions;
class Decisions;
struct Engine;
class ExternalCalls;
class SpeculativeBranches;
class MemoryDecisions;
class PathEnds;
class Places;
class Policies;
class ProgramStart;
class PathReplayer;
class TestCoverage;
class ThreadSwitches;

class Executor : private EngineComponent {
public:
  explicit Executor(Engine &engine);

  /// Runs the state until its path ends, it forks, or about `quantum` instructions are done.
  Step run(State &state, int64_t quantum);
  /// The state as a path for PathReplayer.
  PathPrefix prefixOf(const State &state) const;
  bool interpretCall(State &s, const program::External &callee);

private:
  bool decideLed(State &s, Event event);
  bool decideAt(State &s, Event event);
  bool needsInput(Event event) const;
  bool decide(State &s, Event event);
  bool onExternal(State &s);
  bool runExternal(State &s, const BuiltinCall &call);
  bool onUnsupported(State &s);
  bool onReturned(State &s);
  void putBack(State &s, Step &step, size_t logged);

  Builtins &builtins_;
  Policies &policies_;
  Places &places_;
  PathReplayer &restorer_;
  FeasibilityChecks &feasibility_;
  AssumedMemory &assumed_;
  SpeculativeBranches &guesses_;
  Addresses &addresses_;
  MemoryDecisions &memoryDecisions_;
  CheckDecisions &checkDecisions_;
  ControlDecisions &controlDecisions_;
  Decisions &decisions_;
  ExternalCalls &externalCalls_;
  BugReports &bugs_;
  TestCoverage &testCoverage_;
  PathEnds &ends_;
  ProgramStart &start_;
  ThreadSwitches &threadSwitches_;
};

} // namespace fathom::explore
#endif
