// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ApplicationStage.h"

#include "expr/ExprContext.h"
#include "support/Rng.h"

#include <algorithm>

namespace fathom::solver {

static constexpr unsigned kTries = 6000;

size_t ApplicationStage::satisfied(const Conjunction &query, const Model &model) {
  evaluator_.setModel(model, ++modelVersion_);
  size_t count = 0;
  for (ExprPtr e : query.constraints) count += evaluator_.isTrue(e);
  return count;
}

Answer ApplicationStage::solve(const Conjunction &query) {
  if (std::none_of(query.constraints.begin(), query.constraints.end(),
                   [](ExprPtr e) { return e->has(expr::kHasApply); }))
    return next_->solve(query);
  StageTimer timer(stats_);
  Answer answer = timer.exclude([&] { return next_->solve(query); });
  if (answer.kind != AnswerKind::Unknown) {
    ++stats_.passedOn;
    return answer;
  }
  std::vector<std::pair<ExprPtr, uint64_t>> bytes;
  Support support;
  for (ExprPtr e : query.constraints) mergeInto(support, supports_.of(e));
  for (Cell cell : support) {
    ExprPtr symbol = context_.symbols()[cell.symbol()];
    if (!cell.isWhole())
      bytes.emplace_back(symbol, cell.index());
    else
      for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i) bytes.emplace_back(symbol, i);
  }
  Model best;
  if (query.witness) best = *query.witness;
  size_t most = satisfied(query, best);
  // Of one byte after the other all values, from a random one on; then of two or three at a time.
  // The best so far is where the search goes on.
  Rng rng(hashOf(query));
  auto random = [&](size_t below) { return rng.below(static_cast<uint32_t>(below)); };
  for (unsigned n = 0; n < kTries && !bytes.empty() && Clock::now() < query.deadline; ++n) {
    Model next = best;
    if (n < kTries / 2 && n / 256 < bytes.size()) {
      auto [symbol, index] = bytes[n / 256];
      next.setByte(symbol, index, static_cast<uint8_t>(n));
    } else {
      for (unsigned i = 1 + random(3); i > 0; --i) {
        auto [symbol, index] = bytes[random(bytes.size())];
        next.setByte(symbol, index, static_cast<uint8_t>(random(256)));
      }
    }
    const size_t now = satisfied(query, next);
    if (now == query.constraints.size())
      return timer.answered(Answer::sat(query.needModel ? std::move(next) : Model()));
    if (now > most || (now == most && n >= kTries / 2)) {
      most = now;
      best = std::move(next);
    }
  }
  return timer.answered(Answer::unknown("external operation: no input found"));
}

void ApplicationStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

} // namespace fathom::solver
