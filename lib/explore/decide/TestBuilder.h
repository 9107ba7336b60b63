// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests: a path's inputs and output under a model.
#ifndef FATHOM_EXPLORE_DECIDE_TESTBUILDER_H
#define FATHOM_EXPLORE_DECIDE_TESTBUILDER_H

#include "explore/decide/EngineComponent.h"
#include "explore/Results.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;
class Symbols;
class Witnesses;

class TestBuilder : private EngineComponent {
public:
  explicit TestBuilder(Engine &engine);

  TestCase buildTest(State &s, const expr::Model &model, EndKind end, int status,
                     const std::string &why);
  /// The test of a path that stands for several (State::isMerged) has no trace of its own: it gets
  /// that of its input. Runs the program once more. Nothing for other paths.
  void traceInput(const State &s, TestCase &test);
  /// For --smt2. condition: holds besides the path condition; null: nothing.
  std::string pathAsSmtLib(State &s, const solver::PathCondition &path, ExprPtr condition,
                           const expr::Model &model);

private:
  const Services &services_;
  Witnesses &witnesses_;
  Symbols &symbols_;
};

} // namespace fathom::explore
#endif
