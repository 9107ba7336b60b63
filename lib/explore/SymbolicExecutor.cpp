// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/SymbolicExecutor.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Engine.h"

namespace fathom::explore {

using evidence::LedgerCategory;

SymbolicExecutor::SymbolicExecutor(const program::Program &program, expr::ExprContext &context,
                                   solver::FeasibilityOracle &oracle, const ExploreOptions &options,
                                   ResultSink &sink, Stats &stats, Ledger &ledger,
                                   const ExecutableCode *shared)
    : engine_(
          std::make_unique<Engine>(program, context, oracle, options, sink, stats, ledger, shared)),
      interpreter(engine_->interpreter), stepContext(engine_->stepContext),
      restorer(engine_->restorer) {}

SymbolicExecutor::~SymbolicExecutor() = default;

std::unique_ptr<State> SymbolicExecutor::initialState(std::string &error) {
  return engine_->start.initialState(error);
}

Step SymbolicExecutor::run(State &state, int64_t quantum) {
  return engine_->executor.run(state, quantum);
}

std::unique_ptr<State> SymbolicExecutor::restore(const PathPrefix &prefix, std::string &error) {
  return engine_->restorer.restore(prefix, error);
}

PathPrefix SymbolicExecutor::prefixOf(const State &state) const {
  return engine_->executor.prefixOf(state);
}

std::vector<uint32_t> SymbolicExecutor::newlyCoveredOf(const State &state) const {
  return engine_->testCoverage.newlyCoveredOf(state);
}

bool SymbolicExecutor::coversUntested(const State &state) const {
  return engine_->testCoverage.coversUntested(state);
}

std::string SymbolicExecutor::where(const State &s) const { return engine_->places.where(s); }

void SymbolicExecutor::abandon(State &state, std::optional<LedgerCategory> category,
                               const std::string &why) {
  engine_->ends.abandon(state, category, why);
}

void SymbolicExecutor::tellInput(State &state) {
  // Who offered an input has it.
  if (state.pending || state.followsOffered() || state.lastNewCoverage <= state.toldAt ||
      !coversUntested(state))
    return;
  state.toldAt = state.instructions;
  const TestCase test =
      engine_->tests.buildTest(state, *state.witness, EndKind::Partial, 0, "new coverage");
  stepContext.sinkFailed |= !engine_->services.sink.onInput(test);
}

void SymbolicExecutor::visitRoots(const std::function<void(ExprPtr)> &visit) const {
  engine_->symbols.visitRoots(visit);
}

void SymbolicExecutor::addExternalStats(Stats &stats) const {
  engine_->externalCalls.addExternalStats(stats);
}

} // namespace fathom::explore
