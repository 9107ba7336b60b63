// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/DomainStage.h"

#include "solver/StageTable.h"

#include "expr/TermVisitor.h"

#include <algorithm>

namespace fathom::solver {

using expr::Kind;

/// Constraints that are remembered at most; then it starts over.
static constexpr size_t kMaxRemembered = 1 << 16;
/// Operations in a constraint beyond which compiling it would take too long (tens of milliseconds).
static constexpr size_t kMaxDomainTerms = expr::BatchEvaluator::kMaxInstructions;
/// A circuit of so many gates (see gatesOf) is worth the budget once more: a solver takes about
/// that time to be told of it.
static constexpr uint64_t kGatesPerBudget = 30'000;
/// But not more often than this: the deadline is not there to be used up by one stage.
static constexpr uint64_t kMaxBudgets = 200;
/// The part of the budget that is spent before a circuit is tried.
static constexpr uint64_t kSmallShare = 20;
static constexpr CircuitSolver::Effort kQuick{.newGates = 20'000, .conflicts = 200};
/// New constraints of a query are looked at until they come to so many operations in all: a path
/// that was followed without asking may have thousands of them, each large.
static constexpr size_t kMaxNewTerms = 500'000;
/// A constraint over more bytes than this may not need them all.
static constexpr size_t kFewBytes = 8;
/// How often a search is begun again with more bytes.
static constexpr unsigned kMaxRounds = 8;
/// Why a search is worth doing again with more.

// --- constraints by themselves
// ------------------------------------------------------------------------------------------

/// Finds the bytes that a constraint reads. False: not for this stage.
bool DomainStage::collect(ExprPtr constraint, Facts &facts) {
  size_t terms = 0;
  bool fits = true;
  expr::TermVisitor visitor;
  expr::visitPreOrder(constraint, visitor, [&](ExprPtr e) {
    fits &= ++terms <= kMaxDomainTerms && e->width() <= expr::kMaxLaneWidth;
    if (!fits) return false;
    facts.gates += gatesOf(e);
    if (e->kind() != Kind::Read) return true;
    const expr::ArrayInfo &array = e->op(0)->array(); // at the bottom of the stores
    if (!array.contents.empty() || array.operation) return true;
    ExprPtr index = e->op(1);
    if (!index->isConst())
      facts.isWide = true;
    else if (index->value() < array.sizeBytes)
      facts.bytes.push_back(Cell::of(array.index, index->value()));
    return true;
  });
  newTerms_ += terms;
  if (!fits) return false;
  std::sort(facts.bytes.begin(), facts.bytes.end());
  facts.bytes.erase(std::unique(facts.bytes.begin(), facts.bytes.end()), facts.bytes.end());
  facts.isWide |= facts.bytes.size() > kFewBytes;
  if (facts.isWide) facts.bytes.clear();
  return true;
}

void DomainStage::decide(ExprPtr constraint, Facts &facts) {
  if (!collect(constraint, facts)) return;
  // External operations are executed one value at a time, and only where one byte decides.
  if (constraint->has(expr::kHasApply) && (facts.isWide || facts.bytes.size() != 1)) {
    facts.bytes.clear();
    return;
  }
  if (facts.isWide || facts.bytes.size() > 1) {
    facts.kind = Facts::Several;
    return;
  }
  if (facts.bytes.empty()) {
    if (!batch_.compile({}, std::span(&constraint, 1))) return;
    batch_.run(1);
    facts.kind = Facts::Ground;
    facts.groundValue = batch_.root<uint8_t>(0)[0];
    return;
  }
  const Cell byte = facts.bytes.front();
  if (auto values =
          valuesWhere(constraint, context_.symbols()[byte.symbol()], byte.index(), batch_)) {
    facts.kind = Facts::Single;
    facts.values = *values;
  }
}

const DomainStage::Facts &DomainStage::factsOf(ExprPtr constraint) {
  auto &slot = facts_[constraint];
  if (!slot) {
    slot = std::make_unique<Facts>();
    decide(constraint, *slot);
  }
  return *slot;
}

// --- a query
// --------------------------------------------------------------------------------------------------------

/// Place in bytes_, which are few: looked up one by one.
size_t DomainStage::numberOf(ExprPtr symbol, uint64_t index, const Conjunction &query) {
  for (size_t i = 0; i < bytes_.size(); ++i)
    if (bytes_[i].symbol == symbol && bytes_[i].index == index) return i;
  bytes_.push_back({.symbol = symbol,
                    .index = index,
                    .domain = ByteSet::all(),
                    .value = query.witness ? query.witness->byte(symbol, index) : uint8_t(0)});
  return bytes_.size() - 1;
}

bool DomainStage::gather(const Conjunction &query) {
  bytes_.clear();
  constraints_.clear();
  allSupported_ = allGiven_ = true;
  gates_ = 0;
  newTerms_ = 0;
  auto number = [&](Cell cell) {
    return numberOf(context_.symbols()[cell.symbol()], cell.index(), query);
  };
  for (ExprPtr e : query.constraints) {
    if (newTerms_ > kMaxNewTerms) {
      allSupported_ = false;
      return true;
    }
    const Facts &facts = factsOf(e);
    switch (facts.kind) {
    case Facts::Unsupported: allSupported_ = false; break;
    case Facts::Ground:
      if (!facts.groundValue) return false;
      break;
    case Facts::Single: {
      SearchByte &byte = bytes_[number(facts.bytes.front())];
      byte.domain &= facts.values;
      if (byte.domain.empty()) return false;
      break;
    }
    case Facts::Several: {
      uint32_t mask = 0;
      for (Cell cell : facts.bytes) mask |= uint32_t(1) << (number(cell) % 32);
      constraints_.push_back({e, mask});
      gates_ += facts.gates;
      allGiven_ &= !facts.isWide;
      break;
    }
    }
  }
  for (Cell cell : factsOf(query.constraints.back()).bytes) bytes_[number(cell)].isOfGoal = true;
  return true;
}

/// The bytes at their values. Where more can be read than these, the others are the witness's.
Model DomainStage::assignment(const Conjunction &query) const {
  Model model;
  if (!allGiven_ && query.witness) model = *query.witness;
  for (const SearchByte &b : bytes_) model.setByte(b.symbol, b.index, b.value);
  return model;
}

/// Adds the bytes that the value of a wide constraint depends on under the model: of a choice,
/// only those of the chosen side. False if all are there already.
bool DomainStage::addBytesNeeded(const Conjunction &query, const Model &model) {
  const size_t before = bytes_.size();
  evaluator_.setModel(model, ++modelVersion_);
  expr::TermVisitor visitor;
  std::vector<ExprPtr> stack;
  auto need = [&](ExprPtr e) {
    if (e->has(expr::kHasSymbol) && visitor.first(e)) stack.push_back(e);
  };
  auto needRead = [&](ExprPtr read) {
    const uint64_t index = evaluator_.eval(read->op(1));
    need(read->op(1));
    ExprPtr array = read->op(0);
    for (; array->kind() == Kind::Store; array = array->op(0)) {
      need(array->op(1));
      if (evaluator_.eval(array->op(1)) == index) return need(array->op(2));
    }
    const expr::ArrayInfo &info = array->array();
    if (array->kind() == Kind::SymbolArray && index < info.sizeBytes) numberOf(array, index, query);
  };
  for (const SearchConstraint &c : constraints_)
    if (factsOf(c.term).isWide) need(c.term);
  while (!stack.empty() && bytes_.size() <= DomainSearch::kMaxBytes) {
    ExprPtr e = stack.back();
    stack.pop_back();
    if (e->kind() == Kind::Read) {
      needRead(e);
    } else if (e->kind() == Kind::Ite) {
      need(e->op(0));
      need(e->op(evaluator_.isTrue(e->op(0)) ? 1 : 2));
    } else if (e->isBool() && (e->kind() == Kind::And || e->kind() == Kind::Or)) {
      const bool deciding = e->kind() == Kind::Or; // the value of one side that is enough
      const bool first = evaluator_.isTrue(e->op(0)), second = evaluator_.isTrue(e->op(1));
      if (first == deciding || second != deciding) need(e->op(0));
      if (first != deciding) need(e->op(1));
    } else {
      for (unsigned i = 0; i < e->numOps(); ++i) need(e->op(i));
    }
  }
  return bytes_.size() > before;
}

Answer DomainStage::search(const Conjunction &query, uint64_t budget) {
  if (!allGiven_) addBytesNeeded(query, query.witness ? *query.witness : Model());
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    if (bytes_.empty() || bytes_.size() > DomainSearch::kMaxBytes) break;
    switch (search_.run(bytes_, constraints_, budget, allGiven_, {query.deadline, stop_})) {
    case DomainSearch::Result::Sat: return Answer::sat(assignment(query));
    case DomainSearch::Result::Unsat: return Answer::unsat();
    case DomainSearch::Result::GaveUp: return Answer::unknown(UnknownReason::Budget);
    case DomainSearch::Result::Open: break;
    }
    Model model = assignment(query);
    if (check_.satisfies(model, constraints_, &SearchConstraint::term))
      return Answer::sat(std::move(model));
    if (!addBytesNeeded(query, model)) break;
    budget -= std::min(budget, search_.spent());
  }
  return Answer::unknown("bytes");
}

Answer DomainStage::enumerate(const Conjunction &query, uint64_t budget) {
  Answer answer;
  if (!constraints_.empty()) {
    const uint64_t hash = hashOf(query);
    if (isolation_ && isolation_->isolated.contains(hash)) return Answer::unknown("isolated");
    QueryHeartbeat announced(isolation_, hash, /*isIsolated=*/false, query.deadline,
                             query.asksAgain);
    answer = search(query, budget);
  } else {
    for (SearchByte &b : bytes_)
      if (!b.domain.has(b.value)) b.value = static_cast<uint8_t>(b.domain.first());
    answer = Answer::sat(assignment(query));
  }
  if (answer.kind == AnswerKind::Sat && !allSupported_) return Answer::unknown("not supported");
  if (answer.kind == AnswerKind::Sat && !query.needModel) answer.model = Model();
  return answer;
}

Answer DomainStage::solve(const Conjunction &query) {
  StageTimer timer(stats_);
  auto pass = [&] { return timer.pass([&] { return next_->solve(query); }); };
  if (collections_ != context_.collections() || facts_.size() > kMaxRemembered) {
    facts_.clear();
    collections_ = context_.collections();
  }
  const Deadline deadline{query.deadline, stop_};
  if (query.constraints.empty() || isQuantified(query) || deadline.passed()) return pass();
  if (!gather(query)) return timer.answered(Answer::unsat());
  if (newTerms_ > kMaxNewTerms) return pass();
  gathered_ = bytes_;
  Answer answer = enumerate(query, budget_ / kSmallShare);
  if (answer.kind != AnswerKind::Unknown) return timer.answered(std::move(answer));
  // With another reason it would be the same again.
  const bool wantsMore = answer.why == UnknownReason::Budget;
  if (quick_) {
    answer = timer.exclude([&] { return quick_->solve(query, kQuick); });
    if (answer.kind != AnswerKind::Unknown) {
      ++stats_.passedOn;
      return answer;
    }
  }
  if (!wantsMore || deadline.passed() || !large_.isDue()) return pass();
  bytes_ = gathered_;
  answer = enumerate(query, budget_ * std::min(1 + gates_ / kGatesPerBudget, kMaxBudgets));
  large_.note(answer.kind != AnswerKind::Unknown);
  return answer.kind == AnswerKind::Unknown ? pass() : timer.answered(std::move(answer));
}

void DomainStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

void DomainStage::dropCaches() {
  facts_.clear();
  next_->dropCaches();
}

void putDomainStage(ChainBuilder &chain) {
  chain.put(std::make_unique<DomainStage>(chain.context, chain.options.domainBudget, chain.circuits,
                                          chain.takeSets(), chain.options.stop,
                                          chain.options.isolation));
}

} // namespace fathom::solver
