// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/SecondRun.h"

#include "explore/decide/Engine.h"
#include "explore/SymbolicExecutor.h"
#include "solver/Chain.h"

namespace fathom::explore {

namespace {

constexpr int64_t kSecondRunTurn = 1'000'000;

/// What holds is what holds under the witness, but for memory that was never written: that can be
/// anything, and only of it is anything asked.
class OneInput : public solver::FeasibilityOracle {
public:
  OneInput(expr::ExprContext &context, solver::SolverOptions options) : context_(context) {
    options.useStages({"external"}, false); // results are values
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

/// Keeps the first end of the path that it hears of.
class FirstEnd : public ResultSink {
public:
  FirstEnd(std::optional<TestCase> &end, bool isBug) : end_(end), isBug_(isBug) {}
  bool onTest(const TestCase &test) override {
    if (!end_ && !isBug_ && test.end != EndKind::Partial) end_ = test;
    return true;
  }
  bool onBug(const Bug &bug) override {
    if (!end_ && isBug_) end_ = bug.test;
    return true;
  }
  void onProgress(const Stats &) override {}
  void onEcho(int, const std::string &) override {}

private:
  std::optional<TestCase> &end_;
  bool isBug_;
};

} // namespace

SecondRunResult runAgain(const Services &services, RunOnInput what) {
  ExploreOptions options = services.options;
  Seed input;
  input.raw = false;
  for (SymbolValue &value : what.symbols)
    input.objects.emplace_back(std::move(value.name), std::move(value.data));
  options.seeds = {std::move(input)};
  options.external = ExternalMode::ConcretizeStrict; // there is but one value
  options.branchChecks = BranchChecks::Eager;        // no searcher would ask later
  options.policies.clear();
  options.endsWith = nullptr;
  options.symbolicSize = 0; // sizes are numbers

  SecondRunResult result;
  expr::ExprContext context;
  OneInput oracle(context, options.solver);
  FirstEnd sink(result.end, what.endsInBug);
  Stats stats;
  Ledger ledger;
  SymbolicExecutor second(services.program, context, oracle, options, sink, stats, ledger,
                          &services.interpreter.code);
  second.stepContext.deadline = services.stepContext.deadline;
  second.stepContext.stop = services.stepContext.stop;
  second.engine().seedPaths.failing.emplace();
  for (uint32_t number : what.failedAllocations)
    second.engine().seedPaths.failing->push_back(number);
  std::string error;
  std::unique_ptr<State> state = second.initialState(error);
  if (!state) return result;
  second.engine().seedPaths.startSeeds(*state, {});
  auto isOver = [&] {
    return what.until ? second.engine().bugs.hasReported(*what.until) : result.end.has_value();
  };
  std::vector<std::unique_ptr<State>> left; // of which one is the input's
  left.push_back(std::move(state));
  while (!left.empty() && second.interpreter.instructions < what.maxInstructions &&
         !second.stepContext.mustStop() && !isOver()) {
    const uint64_t before = second.interpreter.instructions;
    Step step = second.run(*left.back(), kSecondRunTurn);
    solver::Clock::spend(StepKind::Instruction, second.interpreter.instructions - before);
    if (!step.alive) left.pop_back();
    for (std::unique_ptr<State> &forked : step.forked) left.push_back(std::move(forked));
  }
  result.hasReported = what.until && second.engine().bugs.hasReported(*what.until);
  return result;
}

} // namespace fathom::explore
