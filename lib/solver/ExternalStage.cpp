// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ExternalStage.h"

#include "solver/AflFuzzSolver.h"
#include "solver/ComparingFuzzSolver.h"
#include "solver/JitFuzzSolver.h"
#include "solver/StageTable.h"

#include "expr/TermVisitor.h"

#include <algorithm>
#include <cmath>

namespace fathom::solver {

using expr::Kind;

/// A branch where the last search found nothing gets the evaluations divided by this.
static constexpr uint64_t kDoubtfulDivisor = 8;
/// How many evaluations a search may take, given how many searches have found nothing so far: the
/// greatest of
///
///   kFirst * base / (1 + failures)^1.5   large at first: a small program has nothing else to do
///   base / (1 + failures / kPatience)    falls slowly, so that thousands of searches do not take
///                                        most of a run
///   min(base, kLeast)                    most models are found within 2,000 evaluations
static uint64_t evaluationsFor(uint64_t base, uint64_t failures) {
  constexpr uint64_t kPatience = 8, kLeast = 4000, kFirst = 5;
  const double first = static_cast<double>(kFirst * base) / std::pow(1.0 + failures, 1.5);
  return std::max(
      {static_cast<uint64_t>(first), base / (1 + failures / kPatience), std::min(base, kLeast)});
}

/// In an order that is the same in every run: operands before what uses them.
static std::vector<ExprPtr> applicationsOf(std::span<const ExprPtr> constraints) {
  std::vector<ExprPtr> found;
  expr::TermVisitor visitor;
  for (ExprPtr e : constraints)
    if (e->has(expr::kHasApply))
      expr::visitPostOrder(e, visitor, [&](ExprPtr t) {
        if (t->kind() == Kind::Apply) found.push_back(t);
      });
  return found;
}

/// Whether a refutation that executed so many candidates counts as a failed search: it was large,
/// and all refutations together have taken more evaluations than kSearches searches may take.
bool ExternalStage::isExpensiveRefutation(uint64_t candidates) const {
  constexpr uint64_t kFew = 4096, kSearches = 50;
  return candidates > kFew && fuzzStats_.candidates > kSearches * options_.budget.evaluations;
}

bool ExternalStage::holds(const Conjunction &query, const Model &model) {
  evaluator_.setModel(model, ++version_);
  return std::all_of(query.constraints.begin(), query.constraints.end(),
                     [&](ExprPtr e) { return evaluator_.isTrue(e); });
}

Answer ExternalStage::askNext(const Conjunction &query, const Images &images,
                              std::vector<ExprPtr> more, StageTimer &timer) {
  expr::TermImages replaced(images.begin(), images.end());
  for (ExprPtr e : query.constraints) {
    ExprPtr image = e->has(expr::kHasApply) ? context_.substitute(e, replaced) : e;
    if (image->isFalse()) return Answer::unsat();
    flattenConjunction(image, more);
  }
  std::vector<ExprPtr> unique;
  for (ExprPtr e : more)
    if (!e->isTrue() && std::find(unique.begin(), unique.end(), e) == unique.end())
      unique.push_back(e);
  if (unique.empty()) return Answer::sat(query.witness ? *query.witness : Model());
  const auto now = Clock::now();
  Conjunction part{.constraints = unique,
                   .deadline = now + (query.deadline - now) / options_.logicTimeDivisor,
                   .branchId = query.branchId,
                   .needModel = true,
                   .witness = query.witness};
  return timer.exclude([&] { return next_->solve(part); });
}

Answer ExternalStage::underWitness(const Conjunction &query, std::span<const ExprPtr> applications,
                                   StageTimer &timer) {
  evaluator_.setModel(*query.witness, ++version_);
  Images images;
  Support pinned;
  for (ExprPtr apply : applications) {
    std::vector<uint8_t> results;
    for (uint64_t i = 0; i < apply->array().sizeBytes; ++i)
      results.push_back(static_cast<uint8_t>(evaluator_.eval(context_.read(apply, i))));
    images.push_back({apply, context_.constArray(results)});
    mergeInto(pinned, supports_.of(apply));
  }
  std::vector<ExprPtr> pins;
  auto pin = [&](ExprPtr symbol, uint64_t i) {
    pins.push_back(context_.eq(context_.read(symbol, i),
                               context_.constant(query.witness->byte(symbol, i), 8)));
  };
  for (Cell cell : pinned) {
    ExprPtr symbol = context_.symbols()[cell.symbol()];
    if (!cell.isWhole())
      pin(symbol, cell.index());
    else
      for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i) pin(symbol, i);
  }
  return askNext(query, images, std::move(pins), timer);
}

/// Asks the other stages about the query with fresh symbols as results of the operations. Unsat
/// holds for the query itself; a model need not.
Answer ExternalStage::withUninterpretedResults(const Conjunction &query,
                                               std::span<const ExprPtr> applications,
                                               StageTimer &timer) {
  // Symbols are for ever: one for each size and position, not for each application.
  Images images;
  for (size_t i = 0; i < applications.size(); ++i) {
    const uint64_t bytes = applications[i]->array().sizeBytes;
    ExprPtr symbol = nullptr;
    for (ExprPtr known : results_)
      if (known->array().sizeBytes == bytes &&
          std::none_of(images.begin(), images.end(), [&](auto &p) { return p.second == known; }))
        symbol = known;
    if (!symbol) results_.push_back(symbol = context_.symbol("results", bytes));
    images.push_back({applications[i], symbol});
  }
  return askNext(query, images, {}, timer);
}

Answer ExternalStage::solve(const Conjunction &query) {
  const bool hasApplications = std::any_of(query.constraints.begin(), query.constraints.end(),
                                           [](ExprPtr e) { return e->has(expr::kHasApply); });
  if (!hasApplications) return next_->solve(query);
  StageTimer timer(stats_);
  auto finish = [&](Model model) {
    if (query.branchId != ~0u) {
      Recent &recent = recent_[query.branchId];
      recent.models[recent.count++ % recent.models.size()] = model;
    }
    return Answer::sat(query.needModel ? std::move(model) : Model());
  };
  std::optional<Model> guess;
  if (options_.logicFirst) {
    const std::vector<ExprPtr> applications = applicationsOf(query.constraints);
    if (query.witness) {
      Answer answer = underWitness(query, applications, timer);
      if (answer.kind == AnswerKind::Sat && holds(query, answer.model))
        return timer.answered(finish(std::move(answer.model)));
    }
    Answer answer = withUninterpretedResults(query, applications, timer);
    if (answer.kind == AnswerKind::Unsat) return timer.answered(Answer::unsat());
    if (answer.kind == AnswerKind::Sat) {
      if (holds(query, answer.model)) return timer.answered(finish(std::move(answer.model)));
      guess = std::move(answer.model);
    }
  }
  ++stats_.passedOn;
  if (options_.predictor) {
    ++predictorStats_.asked;
    if (!predictor_.shouldRun(query.branchId)) {
      ++predictorStats_.unknown;
      return Answer::unknown("fuzz: not searched, as searches for this branch found nothing");
    }
    ++predictorStats_.passedOn;
  }

  std::vector<const Model *> seeds;
  if (options_.useSeeds) {
    seeds.push_back(query.witness);
    if (guess) seeds.push_back(&*guess);
    if (auto it = recent_.find(query.branchId); it != recent_.end())
      for (unsigned i = 0; i < std::min<size_t>(it->second.count, it->second.models.size()); ++i)
        seeds.push_back(&it->second.models[i]);
  }
  FuzzBudget budget = options_.budget;
  budget.stop = stop_;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(query.deadline - Clock::now());
  budget.time = std::clamp(left, std::chrono::milliseconds(1), budget.time);
  budget.evaluations = evaluationsFor(budget.evaluations, fuzzStats_.unknown);
  if (options_.predictor && predictor_.isDoubtful(query.branchId))
    budget.evaluations /= kDoubtfulDivisor;
  return timer.exclude([&] {
    StageTimer fuzzTimer(fuzzStats_);
    Answer answer = fuzz_->solve(query.constraints, seeds, budget);
    const FuzzStats did = fuzz_->stats();
    const uint64_t candidates = did.candidates - fuzzStats_.candidates;
    fuzzStats_.evaluations = did.evaluations;
    fuzzStats_.candidates = did.candidates;
    const bool found = answer.kind == AnswerKind::Sat;
    // A refutation is not recorded as a failed search: if the predictor skipped the next one, that
    // query would stay open. Expensive refutations are, so that they do not take most of the run.
    if (answer.kind != AnswerKind::Unsat || isExpensiveRefutation(candidates))
      predictor_.record(query.branchId, found);
    if (found) answer = finish(std::move(answer.model));
    return fuzzTimer.answered(std::move(answer));
  });
}

void ExternalStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  out.push_back(predictorStats_);
  out.push_back(fuzzStats_);
  next_->appendStats(out);
}

static std::unique_ptr<FuzzSolver> makeFuzzSolver(expr::ExprContext &context,
                                                  const SolverOptions &options) {
  const ExternalOptions &o = options.externals;
  auto afl = [&] {
    return makeAflFuzzSolver(
        context, {.keepHarnesses = o.keepHarnesses, .scratch = {}, .seed = options.fuzzSeed});
  };
  if (o.compareFile.empty() && o.backEnd == FuzzBackEnd::Afl) return afl();
  auto jit = makeJitFuzzSolver(context, {.seed = options.fuzzSeed});
  if (o.compareFile.empty()) return jit;
  return makeComparingFuzzSolver(std::move(jit), afl(), o.compareFile);
}

void putExternalStage(ChainBuilder &chain) {
  ExternalOptions externals = chain.options.externals;
  if (chain.options.z3ResourceLimit) { // steps are to end it, not the clock
    externals.logicTimeDivisor = 1;
    if (externals.backEnd == FuzzBackEnd::Jit) externals.budget.time = kNoTime;
  }
  chain.put(std::make_unique<ExternalStage>(chain.context, externals,
                                            makeFuzzSolver(chain.context, chain.options),
                                            chain.takeSets(), chain.options.stop));
}

} // namespace fathom::solver
