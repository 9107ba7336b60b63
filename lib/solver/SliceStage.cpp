// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/SliceStage.h"

#include "solver/StageTable.h"

#include <algorithm>

namespace fathom::solver {

/// Solves one component and, on Sat, writes the bytes it depends on into `model`.
Answer SliceStage::solveComponent(const Query &query, Clock::time_point deadline, StageTimer &timer,
                                  std::span<const ConstraintInfo *const> infos, Model &model) {
  std::vector<ExprPtr> constraints;
  constraints.reserve(infos.size());
  for (const ConstraintInfo *info : infos) constraints.push_back(info->term);
  Conjunction part{.constraints = constraints,
                   .deadline = deadline,
                   .branchId = query.branchId,
                   .needModel = query.needModel,
                   .witness = query.witness,
                   .asksAgain = query.asksAgain};
  Answer answer = timer.exclude([&] { return next_->solve(part); });
  if (answer.kind != AnswerKind::Sat || !query.needModel) return answer;
  auto copy = [&](ExprPtr symbol, uint64_t i) {
    model.setByte(symbol, i, answer.model.byte(symbol, i));
  };
  for (const ConstraintInfo *info : infos)
    for (Cell cell : *info->support) {
      ExprPtr symbol = index_->symbol(cell.symbol());
      if (!cell.isWhole())
        copy(symbol, cell.index());
      else
        for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i) copy(symbol, i);
    }
  return answer;
}

Answer SliceStage::check(const Query &query) {
  if (query.cheapStagesOnly) return Answer::unknown("not asked");
  StageTimer timer(stats_);
  ++stats_.passedOn;
  bool dependsOnExternalResults = query.goal->has(expr::kHasApply);
  Answer answer = solve(query, timer, dependsOnExternalResults);
  answer.dependsOnExternalResults = dependsOnExternalResults;
  return answer;
}

Answer SliceStage::solve(const Query &query, StageTimer &timer, bool &dependsOnExternalResults) {
  const Clock::time_point deadline = Clock::now() + query.timeout;
  index_->sync(query.path);
  if (index_->contradictory()) return Answer::unsat();
  std::vector<ExprPtr> conjuncts;
  flattenConjunction(query.goal, conjuncts);
  std::vector<const ConstraintInfo *> goals;
  for (ExprPtr e : conjuncts) {
    if (e->isFalse()) return Answer::unsat();
    const ConstraintInfo &info = index_->info(e);
    if (info.isGround && !info.groundValue) return Answer::unsat();
    if (!info.isGround) goals.push_back(&info);
  }

  std::vector<const ConstraintInfo *> relevant;
  index_->slice(goals, relevant);
  const size_t fromPath = relevant.size();
  for (const ConstraintInfo *goal : goals)
    if (std::find(relevant.begin(), relevant.end(), goal) == relevant.end())
      relevant.push_back(goal);
  for (const ConstraintInfo *info : relevant)
    dependsOnExternalResults |= info->term->has(expr::kHasApply);
  Model model;
  if (query.witness) model = *query.witness;
  if (!relevant.empty()) {
    Answer answer = solveComponent(query, deadline, timer, relevant, model);
    if (answer.kind != AnswerKind::Sat) return answer;
  }
  if (!query.witness) {
    // The goal's own components are part of what was solved just now.
    std::vector<const ConstraintInfo *> done(relevant.begin(),
                                             relevant.begin() + static_cast<ptrdiff_t>(fromPath));
    std::sort(done.begin(), done.end());
    for (const auto &component : index_->components()) {
      if (std::binary_search(done.begin(), done.end(), component.front())) continue;
      std::vector<const ConstraintInfo *> unique;
      for (const ConstraintInfo *info : component)
        if (std::find(unique.begin(), unique.end(), info) == unique.end()) unique.push_back(info);
      Answer answer = solveComponent(query, deadline, timer, unique, model);
      if (answer.kind != AnswerKind::Sat) return answer;
    }
  }
  return Answer::sat(query.needModel ? std::move(model) : Model());
}

std::vector<StageStats> SliceStage::stats() const {
  std::vector<StageStats> all{stats_};
  next_->appendStats(all);
  return all;
}

void SliceStage::dropCaches() {
  index_->clear();
  next_->dropCaches();
}

void putSliceStage(ChainBuilder &chain) {
  chain.put(std::make_unique<SliceStage>(chain.index, chain.takeSets()));
}

} // namespace fathom::solver
