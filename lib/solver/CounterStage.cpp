// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/CounterStage.h"

#include "solver/StageTable.h"

#include "expr/Quantifiers.h"

#include <algorithm>
#include <unordered_set>

namespace fathom::solver {

using expr::Kind;

namespace {
/// Constraints that are remembered in all cases together.
constexpr size_t kMaxRememberedTerms = 1 << 18;
} // namespace

/// One query, split.
class CounterStage::Cases {
public:
  Cases(CounterStage &stage, const Conjunction &query, StageTimer &timer)
      : stage_(stage), query_(query), timer_(timer) {}

  /// Unknown: it is a query for the next stage.
  Answer run() {
    std::vector<Part> parts;
    for (ExprPtr e : query_.constraints) parts.push_back({e, e});
    Answer answer = split(parts);
    if (answer.kind == AnswerKind::Unsat && hasCore_) {
      std::ranges::sort(core_);
      core_.erase(std::unique(core_.begin(), core_.end()), core_.end());
      // In the order of the query: which comes last matters to the cache.
      for (ExprPtr e : query_.constraints)
        if (std::ranges::binary_search(core_, e)) answer.core.push_back(e);
    }
    if (answer.kind == AnswerKind::Sat && query_.needModel &&
        !stage_.check_.satisfies(answer.model, query_.constraints))
      return Answer::unknown("solver: model fails the check by evaluation");
    return answer;
  }

private:
  struct Part {
    ExprPtr term;
    ExprPtr origin; ///< in the query
  };

  /// Sat, Unsat (then core_ has more), or Unknown.
  Answer split(const std::vector<Part> &parts) {
    std::optional<Cell> first;
    for (const Part &p : parts) {
      if (!p.term->has(expr::kHasForall)) continue;
      const std::optional<Cell> other = stage_.counterOf(p.term);
      if (!other) return Answer::unknown("not asked");
      if (!first || *other < *first) first = other;
    }
    if (!first) return ask(parts);
    const Cell counter = *first;
    ExprPtr symbol = stage_.context_.symbols()[counter.symbol()];
    ByteSet values = ByteSet::all();
    for (const Part &p : parts)
      if (const ByteSet *some = stage_.valuesBy(p.term, counter)) {
        values &= *some;
        core_.push_back(p.origin);
      }
    if (values.size() > kMaxCases) return Answer::unknown("not asked");
    std::vector<uint8_t> order;
    values.forEach([&](uint8_t v) { order.push_back(v); });
    if (query_.witness)
      if (auto own = std::ranges::find(order, query_.witness->byte(symbol, counter.index()));
          own != order.end())
        std::rotate(order.begin(), own, own + 1);
    for (uint8_t value : order) {
      std::vector<Part> less;
      if (!take(parts, counter, value, less)) continue;
      Answer answer = split(less);
      if (answer.kind == AnswerKind::Sat) answer.model.setByte(symbol, counter.index(), value);
      if (answer.kind != AnswerKind::Unsat) return answer;
    }
    return Answer::unsat();
  }

  /// False: one of them does not hold then.
  bool take(const std::vector<Part> &parts, Cell counter, uint8_t value, std::vector<Part> &less) {
    std::unordered_set<ExprPtr> seen;
    for (const Part &p : parts)
      for (ExprPtr term : stage_.partsOf(p.term, counter, value)) {
        if (term->isFalse()) {
          core_.push_back(p.origin);
          return false;
        }
        if (!term->isTrue() && seen.insert(term).second) less.push_back({term, p.origin});
      }
    return true;
  }

  Answer ask(const std::vector<Part> &parts) {
    if (++asked_ > kMaxCases || Clock::now() >= query_.deadline)
      return Answer::unknown("not asked");
    Model model;
    if (query_.witness) model = *query_.witness;
    if (parts.empty()) return Answer::sat(std::move(model));
    std::vector<ExprPtr> terms;
    for (const Part &p : parts) terms.push_back(p.term);
    Conjunction part = query_;
    part.constraints = terms;
    Answer answer = timer_.exclude([&] { return stage_.next_->solve(part); });
    if (answer.kind == AnswerKind::Unsat) {
      hasCore_ &= !answer.core.empty();
      for (ExprPtr e : answer.core)
        for (const Part &p : parts)
          if (p.term == e) core_.push_back(p.origin);
    }
    if (answer.kind != AnswerKind::Sat || !query_.needModel) return answer;
    for (ExprPtr e : terms)
      for (Cell cell : stage_.supports_.of(e)) {
        ExprPtr symbol = stage_.context_.symbols()[cell.symbol()];
        const uint64_t from = cell.isWhole() ? 0 : cell.index();
        const uint64_t to = cell.isWhole() ? symbol->array().sizeBytes : from + 1;
        for (uint64_t i = from; i < to; ++i) model.setByte(symbol, i, answer.model.byte(symbol, i));
      }
    return Answer::sat(std::move(model));
  }

  CounterStage &stage_;
  const Conjunction &query_;
  StageTimer &timer_;
  unsigned asked_ = 0;
  bool hasCore_ = true;
  std::vector<ExprPtr> core_;
};

std::optional<Cell> CounterStage::counterOf(ExprPtr constraint) {
  if (constraint->kind() != Kind::Forall) return {};
  const Support &support = supports_.of(constraint->op(0));
  if (support.size() != 1 || support[0].isWhole()) return {};
  return support[0];
}

const ByteSet *CounterStage::valuesBy(ExprPtr constraint, Cell counter) {
  if (constraint->has(expr::kHasForall) || constraint->has(expr::kHasApply)) return nullptr;
  const Support &support = supports_.of(constraint);
  if (support.size() != 1 || support[0] != counter) return nullptr;
  auto [it, isNew] = values_.try_emplace(constraint);
  if (isNew)
    if (auto values =
            valuesWhere(constraint, context_.symbols()[counter.symbol()], counter.index(), batch_))
      it->second = std::make_unique<ByteSet>(*values);
  return it->second.get();
}

const std::vector<ExprPtr> &CounterStage::partsOf(ExprPtr constraint, Cell counter, uint8_t value) {
  Case &here = cases_[{counter, value}];
  if (here.images.empty()) {
    ExprPtr symbol = context_.symbols()[counter.symbol()];
    here.images[context_.read(symbol, counter.index())] = context_.constant(value, 8);
  }
  auto [it, isNew] = here.parts.try_emplace(constraint);
  if (isNew) {
    remembered_++;
    std::vector<ExprPtr> parts;
    flattenConjunction(expr::countedOut(context_, context_.substitute(constraint, here.images)),
                       parts);
    it->second = std::move(parts);
  }
  return it->second;
}

void CounterStage::forget() {
  cases_.clear();
  values_.clear();
  remembered_ = 0;
}

Answer CounterStage::solve(const Conjunction &query) {
  auto has = [&](expr::Flag flag) {
    return std::ranges::any_of(query.constraints, [&](ExprPtr e) { return e->has(flag); });
  };
  if (!has(expr::kHasForall) || has(expr::kHasApply)) return next_->solve(query);
  StageTimer timer(stats_);
  if (collections_ != context_.collections() || remembered_ > kMaxRememberedTerms) {
    forget();
    collections_ = context_.collections();
  }
  Answer answer = Cases(*this, query, timer).run();
  if (answer.kind == AnswerKind::Sat || answer.kind == AnswerKind::Unsat)
    return timer.answered(std::move(answer));
  return timer.pass([&] { return next_->solve(query); });
}

void CounterStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

void CounterStage::dropCaches() {
  forget();
  supports_.clear();
  next_->dropCaches();
}

void putCounterStage(ChainBuilder &chain) {
  chain.put(std::make_unique<CounterStage>(chain.context, chain.takeSets()));
}

} // namespace fathom::solver
