// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of the engine's components, and the services that all of them use.
//
// A component has one job (queries, addresses, the ends of paths ...), and its header says which
// other components it needs; Engine.h has them all.
#ifndef FATHOM_EXPLORE_DECIDE_ENGINECOMPONENT_H
#define FATHOM_EXPLORE_DECIDE_ENGINECOMPONENT_H

#include "explore/interpreter/Interpreter.h"
#include "explore/Options.h"
#include "explore/Results.h"
#include "solver/Oracle.h"

namespace fathom::explore {

struct Engine;
class StepContext;

/// The objects that exist once in an exploration. All outlive the engine.
struct Services {
  const program::Program &program;
  expr::ExprContext &context;
  solver::FeasibilityOracle &oracle;
  const ExploreOptions &options;
  ResultSink &sink;
  Stats &stats;
  Ledger &ledger;
  Interpreter &interpreter;
  StepContext &stepContext;
};

class EngineComponent {
protected:
  explicit EngineComponent(const Services &s)
      : program_(s.program), ctx_(s.context), oracle_(s.oracle), options_(s.options), sink_(s.sink),
        stats_(s.stats), ledger_(s.ledger), interpreter_(s.interpreter),
        stepContext_(s.stepContext) {}

  const program::Program &program_;
  expr::ExprContext &ctx_;
  solver::FeasibilityOracle &oracle_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  Stats &stats_;
  Ledger &ledger_;
  Interpreter &interpreter_;
  StepContext &stepContext_;
};

} // namespace fathom::explore
#endif
