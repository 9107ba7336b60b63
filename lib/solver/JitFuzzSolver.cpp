// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/JitFuzzSolver.h"

#include "solver/Conjunction.h"
#include "solver/GuidedSearch.h"
#include "solver/Support.h"

#include <algorithm>

namespace fathom::solver {

namespace {

using expr::RowLayout;

class JitFuzzSolver final : public FuzzSolver {
public:
  JitFuzzSolver(expr::ExprContext &context, const JitFuzzOptions &options)
      : context_(context), options_(options), compiler_({.maxTerms = options.maxTerms}) {}

  Answer solve(std::span<const ExprPtr> constraints, std::span<const Model *const> seeds,
               const FuzzBudget &budget) override {
    const auto start = Clock::now();
    const double compiledBefore = stats_.compileSeconds;
    ++stats_.queries;
    Answer answer = run(constraints, seeds, budget, {start + budget.time, budget.stop});
    stats_.sat += answer.kind == AnswerKind::Sat;
    stats_.searchSeconds += std::chrono::duration<double>(Clock::now() - start).count() -
                            (stats_.compileSeconds - compiledBefore);
    return answer;
  }
  FuzzStats stats() const override { return stats_; }

private:
  Answer run(std::span<const ExprPtr> asked, std::span<const Model *const> seeds,
             const FuzzBudget &budget, const Deadline &deadline) {
    std::vector<ExprPtr> constraints;
    for (ExprPtr e : asked) flattenConjunction(e, constraints);
    std::erase_if(constraints, [](ExprPtr e) { return e->isTrue(); });
    const Model none;
    const Model *base = &none;
    for (const Model *seed : seeds)
      if (seed && base == &none) base = seed;
    // No search can find a model then. Refuting such a query is left to the other stages.
    if (std::any_of(constraints.begin(), constraints.end(), [](ExprPtr e) { return e->isFalse(); }))
      return Answer::unknown("fuzz: not found");

    RowLayout layout(constraints);
    if (layout.rowBytes() > options_.maxRowBytes) return Answer::unknown("fuzz: too many bytes");
    std::vector<GuidedSearch::Row> rows;
    for (const Model *seed : seeds) {
      if (!seed) continue;
      layout.fill(*seed, rows.emplace_back(layout.rowBytes()));
    }
    rows.emplace_back(layout.rowBytes()); // zeros
    GuidedSearch search(layout, constraints, options_.seed);
    // Executing an operation for one input alone is what costs most.
    bool found =
        search.quick(rows, layout.applications().empty() ? options_.quickRounds : 0, deadline);
    if (!found && layout.size() && !deadline.passed()) {
      const auto compileStart = Clock::now();
      RowAssessor assessor(context_, layout, compiler_);
      const bool compiled = assessor.compile(constraints);
      stats_.compileSeconds += std::chrono::duration<double>(Clock::now() - compileStart).count();
      if (!compiled) return Answer::unknown("fuzz: " + assessor.why());
      ++stats_.compilations;
      found = search.search(assessor, rows, budget.evaluations, deadline);
    }
    stats_.evaluations += search.evaluations();
    if (const uint64_t candidates = found ? 0 : search.exhausted(); candidates && isPure(layout)) {
      ++stats_.refuted;
      stats_.candidates += candidates;
      return Answer::unsat();
    }
    if (!found)
      return deadline.passed() ? Answer::unknown(UnknownReason::Timeout)
                               : Answer::unknown("fuzz: not found");
    Model model = layout.model({search.found().data(), layout.size()}, *base);
    if (!holds(model, asked)) {
      ++stats_.rejected;
      return Answer::unknown("fuzz: not confirmed");
    }
    return Answer::sat(std::move(model));
  }

  static bool isPure(const RowLayout &layout) {
    const auto all = layout.applications();
    return std::all_of(all.begin(), all.end(),
                       [](const auto &a) { return a.term->operation().isPure(); });
  }

  bool holds(const Model &model, std::span<const ExprPtr> constraints) {
    expr::Evaluator evaluator;
    evaluator.setModel(model, 1);
    return std::all_of(constraints.begin(), constraints.end(),
                       [&](ExprPtr e) { return evaluator.isTrue(e); });
  }

  expr::ExprContext &context_;
  JitFuzzOptions options_;
  jit::TermCompiler compiler_;
  FuzzStats stats_;
};

} // namespace

std::unique_ptr<FuzzSolver> makeJitFuzzSolver(expr::ExprContext &context,
                                              const JitFuzzOptions &options) {
  return std::make_unique<JitFuzzSolver>(context, options);
}

} // namespace fathom::solver
