// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine's components, put together. A component knows those that its constructor takes from
// here.
#ifndef FATHOM_EXPLORE_DECIDE_ENGINE_H
#define FATHOM_EXPLORE_DECIDE_ENGINE_H

#include "explore/builtin/Builtins.h"
#include "explore/decide/Addresses.h"
#include "explore/decide/AssumedMemory.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/CheckDecisions.h"
#include "explore/decide/ControlDecisions.h"
#include "explore/decide/Decisions.h"
#include "explore/decide/Executor.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/InputSides.h"
#include "explore/decide/LeakCheck.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/MemoryDecisions.h"
#include "explore/decide/ObjectAccess.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/PathReplayer.h"
#include "explore/decide/Places.h"
#include "explore/decide/ProgramStart.h"
#include "explore/decide/SeedPaths.h"
#include "explore/decide/ShowBug.h"
#include "explore/decide/Sizes.h"
#include "explore/decide/SpeculativeBranches.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Symbols.h"
#include "explore/decide/Targets.h"
#include "explore/decide/TestBuilder.h"
#include "explore/decide/TestCoverage.h"
#include "explore/decide/ThreadSwitches.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"
#include "explore/external/CallCapture.h"
#include "explore/external/ExternalCalls.h"
#include "explore/external/ForeignCode.h"
#include "explore/external/Symcretes.h"
#include "explore/policy/Policies.h"

namespace fathom::explore {

struct Engine {
  Engine(const program::Program &program, expr::ExprContext &context,
         solver::FeasibilityOracle &oracle, const ExploreOptions &options, ResultSink &sink,
         Stats &stats, Ledger &ledger, const ExecutableCode *shared = nullptr);

  Interpreter interpreter;
  Services services;
  ForeignCode foreign;
  StepContext stepContext;
  Decisions decisions;
  Places places;
  LogFollower follower;
  Witnesses witnesses;
  SeedPaths seedPaths;
  InputSides inputSides;
  Symbols symbols;
  FeasibilityChecks feasibility;
  SpeculativeBranches guesses;
  Forks forks;
  Symcretes symcretes;
  UninitUses uninitUses;
  AssumedMemory assumed;
  Addresses addresses;
  ObjectAccess access;
  Sizes sizes;
  Targets targets;
  MemoryDecisions memoryDecisions;
  CheckDecisions checkDecisions;
  ControlDecisions controlDecisions;
  CallCapture capture;
  ExternalCalls externalCalls;
  BugReports bugs;
  ShowBug showBug;
  LeakCheck leaks;
  TestCoverage testCoverage;
  TestBuilder tests;
  PathEnds ends;
  ProgramStart start;
  ThreadSwitches threadSwitches;
  PathReplayer restorer;
  Executor executor;
  Builtins builtins;
  Policies policies;
};

} // namespace fathom::explore
#endif
