// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --external concretize a path goes on with what an external function gave for one value of
// its arguments, while the arguments may still become others. A bug behind such a call can be one
// that no input shows. So the program is run once more on the bug's own input, from its start and
// in an executor of its own, where all that the oracle knows is that input.
//
// Cost: one path without a solver, for each path that ends in a bug that has a report, and for
// others when they were met for the 1st, 2nd, 4th, 8th time and so on.
#include "explore/Executor.h"

namespace fathom::explore {

namespace {

constexpr int64_t kTurn = 1'000'000;

/// What holds is what holds under the witness.
class OneInput : public solver::FeasibilityOracle {
public:
  solver::Answer check(const solver::Query &query) override {
    evaluator_.setModel(*query.witness, query.witnessVersion);
    if (!evaluator_.isTrue(query.goal)) return solver::Answer::unsat();
    solver::Answer answer = solver::Answer::sat(*query.witness);
    answer.isWitness = true;
    return answer;
  }
  std::vector<solver::StageStats> stats() const override { return {}; }

private:
  expr::Evaluator evaluator_;
};

class NoSink : public ResultSink {
public:
  bool onTest(const TestCase &) override { return true; }
  bool onBug(const Bug &) override { return true; }
  void onProgress(const Stats &) override {}
  void onEcho(int, const std::string &) override {}
};

} // namespace

bool Executor::showsBug(State &s, const BugKey &key, const expr::Model &model) {
  ExploreOptions options = options_;
  Seed input;
  input.raw = false;
  for (SymbolValue &value : buildTest(s, model, EndKind::Bug, 0, "").symbols)
    input.objects.emplace_back(std::move(value.name), std::move(value.data));
  options.seeds = {std::move(input)};
  options.external = "concretize-strict"; // there is but one value

  expr::ExprContext context;
  OneInput oracle;
  NoSink sink;
  Stats stats;
  Ledger ledger;
  Executor again(program_, context, oracle, options, sink, stats, ledger);
  again.deadline = deadline;
  again.stop = stop;
  again.failing_.emplace(); // the path's, and no others
  for (const uint32_t *number : s.failedAllocations.items()) again.failing_->push_back(*number);
  std::string error;
  std::unique_ptr<State> state = again.initialState(error);
  if (!state) return false;
  again.startSeeds(*state);
  const uint64_t most = 2 * s.instructions + kTurn; // another path can be one without end
  while (state && state->instructions < most && !again.mustStop()) {
    Step step = again.run(*state, kTurn);
    // A sum that overflows goes on in a fork.
    if (!step.alive) state = step.forked.empty() ? nullptr : std::move(step.forked.front());
  }
  auto found = again.reported_.find({key.kind, key.place});
  return found != again.reported_.end() && found->second.contains(key.stack);
}

} // namespace fathom::explore
