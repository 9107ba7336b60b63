// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/DomainStage.h"

#include "expr/TermVisitor.h"

#include <algorithm>
#include <numeric>

namespace fathom::solver {

using expr::BatchEvaluator;

/// Constraints that are remembered at most; then it starts over.
static constexpr size_t kMaxRemembered = 1 << 16;
/// Operations in a constraint beyond which compiling it would take too long.
static constexpr size_t kMaxTerms = 4096;
/// A circuit of so many gates (SupportTable::gates) is worth the budget once more: an SMT solver
/// takes about 0.3 ms for every thousand of them.
static constexpr uint64_t kGatesPerBudget = 10'000;

/// What the batch evaluator takes.
static bool isSupported(ExprPtr root) {
  size_t terms = 0;
  bool narrow = true;
  expr::TermVisitor visitor;
  expr::visitPostOrder(root, visitor, [&](ExprPtr e) {
    ++terms;
    narrow &= e->width() <= 64;
  });
  return narrow && terms <= kMaxTerms;
}

void DomainStage::decide(ExprPtr constraint, Facts &facts) {
  facts.support = &supports_.of(constraint);
  const Support &support = *facts.support;
  if (!isSupported(constraint) || support.size() > DomainSearch::kMaxBytes ||
      (!support.empty() && support.back().isWhole()))
    return;
  if (support.size() > 1) {
    facts.kind = Facts::Several;
    return;
  }
  BatchEvaluator::Input byte{};
  std::span<const BatchEvaluator::Input> inputs;
  if (!support.empty()) {
    byte = {context_.symbols()[support[0].symbol()], support[0].index()};
    inputs = std::span(&byte, 1);
  }
  if (!batch_.compile(inputs, std::span(&constraint, 1), kMaxTerms)) return;
  if (support.empty()) {
    batch_.run(1);
    facts.kind = Facts::Ground;
    facts.groundValue = batch_.root<uint8_t>(0)[0];
    return;
  }
  std::iota(batch_.input<uint8_t>(0), batch_.input<uint8_t>(0) + BatchEvaluator::kLanes, 0);
  batch_.run(BatchEvaluator::kLanes);
  for (unsigned v = 0; v < 256; ++v)
    if (batch_.root<uint8_t>(0)[v]) facts.values.add(v);
  facts.kind = Facts::Single;
}

const DomainStage::Facts &DomainStage::factsOf(ExprPtr constraint) {
  auto &slot = facts_[constraint];
  if (!slot) {
    slot = std::make_unique<Facts>();
    decide(constraint, *slot);
  }
  return *slot;
}

Answer DomainStage::enumerate(const Conjunction &query) {
  bytes_.clear();
  constraints_.clear();
  // Bytes are few: looked up one by one.
  auto numberOf = [&](Cell cell) {
    ExprPtr symbol = context_.symbols()[cell.symbol()];
    size_t i = 0;
    while (i < bytes_.size() && (bytes_[i].symbol != symbol || bytes_[i].index != cell.index()))
      ++i;
    if (i == bytes_.size())
      bytes_.push_back(
          {.symbol = symbol,
           .index = cell.index(),
           .domain = ByteSet::all(),
           .value = query.witness ? query.witness->byte(symbol, cell.index()) : uint8_t(0)});
    return i;
  };
  uint64_t gates = 0;
  bool complete = true;
  for (ExprPtr e : query.constraints) {
    const Facts &facts = factsOf(e);
    switch (facts.kind) {
    case Facts::Unsupported: complete = false; continue;
    case Facts::Ground:
      if (!facts.groundValue) return Answer::unsat();
      continue;
    case Facts::Single: {
      SearchByte &byte = bytes_[numberOf(facts.support->front())];
      byte.domain &= facts.values;
      if (byte.domain.empty()) return Answer::unsat();
      break;
    }
    case Facts::Several: {
      uint32_t mask = 0;
      for (Cell cell : *facts.support) mask |= uint32_t(1) << (numberOf(cell) & 31);
      constraints_.push_back({e, mask});
      gates += supports_.gates(e);
      break;
    }
    }
    if (bytes_.size() > DomainSearch::kMaxBytes) return Answer::unknown("too many bytes");
  }
  if (!complete) return Answer::unknown("not supported");
  for (Cell cell : *factsOf(query.constraints.back()).support)
    bytes_[numberOf(cell)].isOfGoal = true;
  if (constraints_.empty()) {
    for (SearchByte &b : bytes_)
      if (!b.domain.has(b.value)) b.value = static_cast<uint8_t>(b.domain.first());
  } else {
    switch (search_.run(bytes_, constraints_, budget_ * (1 + gates / kGatesPerBudget))) {
    case DomainSearch::Result::Sat: break;
    case DomainSearch::Result::Unsat: return Answer::unsat();
    case DomainSearch::Result::GaveUp: return Answer::unknown("budget");
    }
  }
  Model model;
  if (query.needModel)
    for (const SearchByte &b : bytes_) model.setByte(b.symbol, b.index, b.value);
  return Answer::sat(std::move(model));
}

Answer DomainStage::solve(const Conjunction &query) {
  StageTimer timer(stats_);
  if (collections_ != context_.collections() || facts_.size() > kMaxRemembered) {
    facts_.clear();
    supports_.clear();
    collections_ = context_.collections();
  }
  if (!query.constraints.empty() && Clock::now() < query.deadline) {
    Answer answer = enumerate(query);
    if (answer.kind != AnswerKind::Unknown) return timer.answered(std::move(answer));
  }
  return timer.pass([&] { return next_->solve(query); });
}

void DomainStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

void DomainStage::dropCaches() {
  facts_.clear();
  supports_.clear();
  next_->dropCaches();
}

} // namespace fathom::solver
