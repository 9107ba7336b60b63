// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --external concretize a path goes on with what an external function gave for one value of
// its arguments, while the arguments may still become others. A bug behind such a call can be one
// that no input shows. So the program is run once more on the bug's own input, from its start and
// in an executor of its own, where all that the oracle knows is that input.
//
// Cost: one path without a solver (but for unwritten memory: both ways are gone where it decides)
// for a bug's place and kind, and again when it was met for the 2nd, 4th, 8th time and so on.
#include "explore/decide/ShowBug.h"

#include "explore/decide/Engine.h"
#include "explore/decide/TestBuilder.h"
#include "explore/Executor.h"
#include "solver/Chain.h"

namespace fathom::explore {

namespace {

constexpr int64_t kTurn = 1'000'000;

/// What holds is what holds under the witness, but for memory that was never written: that can be
/// anything, and only of it is anything asked.
class OneInput : public solver::FeasibilityOracle {
public:
  OneInput(expr::ExprContext &context, solver::SolverOptions options) : context_(context) {
    options.external = false; // results are values
    options.logFile.clear();
    ofUnwritten_ = solver::makeChain(context, options);
  }
  solver::Answer check(const solver::Query &query) override {
    evaluator_.setModel(*query.witness, query.witnessVersion);
    if (evaluator_.isTrue(query.goal)) {
      solver::Answer answer = solver::Answer::sat(*query.witness);
      answer.isWitness = true;
      return answer;
    }
    return query.goal->has(expr::kHasUninit) ? checkUnwritten(query) : solver::Answer::unsat();
  }
  std::vector<solver::StageStats> stats() const override { return {}; }

private:
  solver::Answer checkUnwritten(const solver::Query &query) {
    expr::TermImages input;
    for (ExprPtr symbol : context_.symbols())
      if (!symbol->has(expr::kHasUninit))
        input[symbol] = context_.constArray(query.witness->bytes(symbol));
    solver::PathCondition path;
    for (ExprPtr e : query.path.constraints())
      if (e->has(expr::kHasUninit)) path.add(context_.substitute(e, input));
    solver::Answer answer = ofUnwritten_->check({.path = path,
                                                 .goal = context_.substitute(query.goal, input),
                                                 .witness = query.witness,
                                                 .witnessVersion = query.witnessVersion,
                                                 .timeout = query.timeout});
    if (answer.kind != solver::AnswerKind::Sat || answer.isWitness) return answer;
    expr::Model model = *query.witness;
    for (ExprPtr symbol : context_.symbols()) {
      if (!symbol->has(expr::kHasUninit)) continue;
      const std::vector<uint8_t> bytes = answer.model.bytes(symbol);
      for (size_t i = 0; i < bytes.size(); i++)
        if (model.byte(symbol, i) != bytes[i]) model.setByte(symbol, i, bytes[i]);
    }
    answer.model = std::move(model);
    return answer;
  }

  expr::ExprContext &context_;
  expr::Evaluator evaluator_;
  std::unique_ptr<solver::FeasibilityOracle> ofUnwritten_;
};

class NoSink : public ResultSink {
public:
  bool onTest(const TestCase &) override { return true; }
  bool onBug(const Bug &) override { return true; }
  void onProgress(const Stats &) override {}
  void onEcho(int, const std::string &) override {}
};

} // namespace

bool ShowBug::showsBug(State &s, const BugKey &key, const expr::Model &model) {
  ExploreOptions options = options_;
  Seed input;
  input.raw = false;
  for (SymbolValue &value : tests_.buildTest(s, model, EndKind::Bug, 0, "").symbols)
    input.objects.emplace_back(std::move(value.name), std::move(value.data));
  options.seeds = {std::move(input)};
  options.external = "concretize-strict"; // there is but one value
  options.ask = "eager";                  // and nobody to ask later

  expr::ExprContext context;
  OneInput oracle(context, options_.solver);
  NoSink sink;
  Stats stats;
  Ledger ledger;
  Executor second(program_, context, oracle, options, sink, stats, ledger);
  second.turn.deadline = turn_.deadline;
  second.turn.stop = turn_.stop;
  second.engine().seedPaths.failing.emplace(); // the path's, and no others
  for (const uint32_t *number : s.failedAllocations.items())
    second.engine().seedPaths.failing->push_back(*number);
  std::string error;
  std::unique_ptr<State> state = second.initialState(error);
  if (!state) return false;
  second.engine().seedPaths.startSeeds(*state);
  const uint64_t most = 2 * s.instructions + kTurn; // another path can be one without end
  std::vector<std::unique_ptr<State>> left;         // of which one is the bug's
  left.push_back(std::move(state));
  while (!left.empty() && second.machine.instructions < most && !second.turn.mustStop() &&
         !second.engine().bugs.hasReported(key)) {
    Step step = second.run(*left.back(), kTurn);
    if (!step.alive) left.pop_back();
    for (std::unique_ptr<State> &forked : step.forked) left.push_back(std::move(forked));
  }
  return second.engine().bugs.hasReported(key);
}

} // namespace fathom::explore
