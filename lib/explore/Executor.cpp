// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Executor.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Engine.h"

namespace fathom::explore {

using evidence::LedgerCategory;

Executor::Executor(const program::Program &program, expr::ExprContext &context,
                   solver::FeasibilityOracle &oracle, const ExploreOptions &options,
                   ResultSink &sink, Stats &stats, Ledger &ledger, const LinkedCode *shared)
    : engine_(
          std::make_unique<Engine>(program, context, oracle, options, sink, stats, ledger, shared)),
      machine(engine_->machine), turn(engine_->turn), restorer(engine_->restorer) {}

Executor::~Executor() = default;

std::unique_ptr<State> Executor::initialState(std::string &error) {
  return engine_->start.initialState(error);
}

Step Executor::run(State &state, int64_t quantum) { return engine_->stepper.run(state, quantum); }

std::unique_ptr<State> Executor::restore(const PathPrefix &prefix, std::string &error) {
  return engine_->restorer.restore(prefix, error);
}

PathPrefix Executor::prefixOf(const State &state) const { return engine_->stepper.prefixOf(state); }

std::vector<uint32_t> Executor::firstsOf(const State &state) const {
  return engine_->testCoverage.firstsOf(state);
}

bool Executor::coversUntested(const State &state) const {
  return engine_->testCoverage.coversUntested(state);
}

std::string Executor::where(const State &s) const { return engine_->places.where(s); }

void Executor::abandon(State &state, std::optional<LedgerCategory> category,
                       const std::string &why) {
  engine_->ends.abandon(state, category, why);
}

void Executor::visitRoots(const std::function<void(ExprPtr)> &visit) const {
  engine_->symbols.visitRoots(visit);
}

void Executor::addExternalStats(Stats &stats) const {
  engine_->externalCalls.addExternalStats(stats);
}

} // namespace fathom::explore
