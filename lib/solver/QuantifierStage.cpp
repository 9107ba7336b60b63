// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attempt takes one query through the steps of the header's list; run() has their order.
// ExpansionStage is the alternative that expands all quantifiers.
#include "solver/QuantifierStage.h"

#include "solver/StageTable.h"

#include "expr/Quantifiers.h"
#include "expr/TermVisitor.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fathom::solver {

using expr::Kind;

namespace {

/// A byte of a symbolic array.
struct Place {
  ExprPtr symbol;
  uint64_t index;
  auto operator<=>(const Place &) const = default;
};

/// forall i. 1 <= i <= min(count, range) -> body(i)
struct Clause {
  ExprPtr origin; ///< constraint of the query
  ExprPtr count;
  ExprPtr body; ///< open; no conjunction
  uint64_t range;
  std::vector<ExprPtr> reads; ///< of symbolic arrays in body, at an index that is open
};

/// Reads of symbolic arrays below the terms. openOnly: at an open index.
template <class Terms> std::vector<ExprPtr> readsOf(const Terms &terms, bool openOnly) {
  std::vector<ExprPtr> reads;
  expr::TermVisitor visitor;
  for (ExprPtr e : terms)
    expr::visitPreOrder(e, visitor, [&](ExprPtr t) {
      if (t->kind() == Kind::Read && (!openOnly || t->op(1)->has(expr::kIsOpen)))
        reads.push_back(t);
      return t->kind() != Kind::Forall;
    });
  return reads;
}

ExprPtr symbolBelow(ExprPtr array) {
  while (array->kind() == Kind::Store) array = array->op(0);
  return array->kind() == Kind::SymbolArray ? array : nullptr;
}

} // namespace

/// One query on its way through the steps.
class QuantifierStage::Attempt {
public:
  Attempt(QuantifierStage &stage, const Conjunction &query, StageTimer &timer)
      : stage_(stage), context_(stage.context_), query_(query), timer_(timer) {}

  Answer run() {
    takeApart();
    strip();
    Answer answer = ask(asked_);
    if (answer.kind != AnswerKind::Sat) return counted(std::move(answer), stage_.steps_.stripped);
    Model model = completed(answer.model);
    if (holds(model)) return found(std::move(model), stage_.steps_.stripped);
    if (stage_.options_.duplicates) {
      Model more = duplicated(model, {});
      if (holds(more)) return found(std::move(more), stage_.steps_.duplicated);
      if (stage_.options_.repairs)
        if (std::optional<Model> repairedModel = repaired(more))
          return found(std::move(*repairedModel), stage_.steps_.repaired);
    }
    return refine(std::move(model));
  }

private:
  /// The constraint follows from these of the query.
  void add(ExprPtr constraint, const std::vector<ExprPtr> &origins) {
    std::vector<ExprPtr> parts;
    flattenConjunction(constraint, parts);
    for (ExprPtr part : parts)
      if (origins_.try_emplace(part, origins).second) asked_.push_back(part);
  }

  /// Which constraints are clauses, and which go below as they are.
  void takeApart() {
    for (ExprPtr e : query_.constraints) {
      if (!e->has(expr::kHasForall)) {
        plain_.push_back(e);
        add(e, {e});
        continue;
      }
      if (e->kind() != Kind::Forall || e->op(0)->has(expr::kHasForall) ||
          e->op(1)->has(expr::kHasForall)) {
        add(expr::expand(context_, e), {e});
        continue;
      }
      std::vector<ExprPtr> bodies;
      flattenConjunction(e->op(1), bodies);
      for (ExprPtr body : bodies)
        clauses_.push_back({e, e->op(0), body, e->range(), readsOf(std::vector{body}, true)});
    }
  }

  /// 1 <= number <= count of the clause
  ExprPtr isCounted(const Clause &clause, ExprPtr number) {
    ExprPtr least = context_.ult(context_.constant(0, 64), number);
    ExprPtr most = context_.bvAnd(context_.ule(number, clause.count),
                                  context_.ule(number, context_.constant(clause.range, 64)));
    return context_.bvAnd(least, most);
  }
  ExprPtr bodyAt(const Clause &clause, ExprPtr number) {
    return expr::instance(context_, clause.body, clause.range, number);
  }
  ExprPtr implied(const Clause &clause, ExprPtr number) {
    return context_.bvOr(context_.bvNot(isCounted(clause, number)), bodyAt(clause, number));
  }
  ExprPtr numbered(uint64_t number) { return context_.constant(number, 64); }

  // --- 1
  void strip() {
    std::unordered_map<ExprPtr, std::vector<ExprPtr>> indices; // by array: where plain_ reads it
    for (ExprPtr read : readsOf(plain_, /*openOnly=*/false)) {
      auto &known = indices[read->op(0)];
      if (std::ranges::find(known, read->op(1)) == known.end()) known.push_back(read->op(1));
    }
    for (const Clause &clause : clauses_) {
      add(implied(clause, numbered(1)), {clause.origin});
      for (ExprPtr number : matches(clause, indices)) {
        // not p(t) holds: t is not counted
        if (std::vector<ExprPtr> origins = saying(context_.bvNot(bodyAt(clause, number)));
            !origins.empty()) {
          origins.push_back(clause.origin);
          add(context_.bvNot(isCounted(clause, number)), origins);
        } else if (stage_.options_.instantiatesMatches) {
          add(implied(clause, number), {clause.origin});
        }
      }
    }
  }

  /// The constraints of the query that say e; none: nothing does.
  std::vector<ExprPtr> saying(ExprPtr e) const {
    std::vector<ExprPtr> parts, origins;
    flattenConjunction(e, parts);
    for (ExprPtr part : parts) {
      auto it = origins_.find(part);
      if (it == origins_.end()) return {};
      origins.insert(origins.end(), it->second.begin(), it->second.end());
    }
    return origins;
  }

  /// Numbers t such that the body at t reads a byte where others read it. The index has to be the
  /// number itself and something that does not depend on it.
  std::vector<ExprPtr> matches(const Clause &clause,
                               const std::unordered_map<ExprPtr, std::vector<ExprPtr>> &indices) {
    std::vector<ExprPtr> numbers;
    ExprPtr number = context_.bound(clause.range);
    for (ExprPtr read : clause.reads) {
      auto at = indices.find(read->op(0));
      if (at == indices.end()) continue;
      ExprPtr rest = context_.sub(read->op(1), number);
      if (rest->has(expr::kIsOpen)) continue;
      for (ExprPtr index : at->second)
        if (ExprPtr t = context_.sub(index, rest); std::ranges::find(numbers, t) == numbers.end())
          numbers.push_back(t);
    }
    return numbers;
  }

  // --- asking
  Answer ask(std::span<const ExprPtr> constraints) {
    for (ExprPtr e : constraints)
      if (e->isFalse()) return Answer::unsat({e});
    if (constraints.empty()) return Answer::sat(query_.witness ? *query_.witness : Model());
    Conjunction part{.constraints = constraints,
                     .deadline = query_.deadline,
                     .branchId = query_.branchId,
                     .needModel = true,
                     .witness = query_.witness,
                     .asksAgain = query_.asksAgain};
    return timer_.exclude([&] { return stage_.next_->solve(part); });
  }

  /// Unsat, or Unknown.
  Answer counted(Answer answer, uint64_t &step) {
    step += answer.kind == AnswerKind::Unsat;
    stage_.steps_.undecided += answer.kind != AnswerKind::Unsat;
    std::vector<ExprPtr> core;
    for (ExprPtr e : answer.core) {
      auto it = origins_.find(e);
      if (it == origins_.end()) continue;
      for (ExprPtr origin : it->second)
        if (std::ranges::find(core, origin) == core.end()) core.push_back(origin);
    }
    answer.core = std::move(core);
    return answer;
  }
  Answer found(Model model, uint64_t &step) {
    ++step;
    return Answer::sat(query_.needModel ? std::move(model) : Model());
  }

  bool holds(const Model &model) { return check_.satisfies(model, query_.constraints); }

  // --- models
  /// value() and what builds on it are about this model from now on.
  void use(const Model &model) { evaluator_.setModel(model, ++version_); }
  uint64_t value(ExprPtr e) { return evaluator_.eval(e); }
  uint64_t countOf(const Clause &clause) { return std::min(value(clause.count), clause.range); }
  uint64_t indexAt(ExprPtr read, uint64_t number) { return evaluator_.evalAt(read->op(1), number); }
  bool holdsAt(const Clause &clause, uint64_t number) {
    return evaluator_.evalAt(clause.body, number);
  }

  /// Bytes that nothing asked is about have the witness's values: it satisfies the path, and with
  /// some luck the quantified clauses too.
  Model completed(const Model &model) {
    if (!query_.witness) return model;
    Model all = *query_.witness;
    Support told;
    for (ExprPtr e : asked_) mergeInto(told, stage_.supports_.of(e));
    copy(model, told, all);
    return all;
  }
  void copy(const Model &from, const Support &cells, Model &to) {
    for (Cell cell : cells) {
      ExprPtr symbol = context_.symbols()[cell.symbol()];
      if (!cell.isWhole())
        to.setByte(symbol, cell.index(), from.byte(symbol, cell.index()));
      else
        for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i)
          to.setByte(symbol, i, from.byte(symbol, i));
    }
  }

  // --- 2
  Model duplicated(const Model &model, const std::set<Place> &except) {
    Model out = model;
    use(model);
    for (const Clause &clause : clauses_) {
      const uint64_t count = countOf(clause);
      for (ExprPtr read : clause.reads) {
        ExprPtr symbol = symbolBelow(read->op(0));
        if (!symbol || count < 2) continue;
        const uint8_t byte = model.byte(symbol, indexAt(read, 1));
        for (uint64_t number = 2; number <= count; ++number) {
          const uint64_t index = indexAt(read, number);
          if (index < symbol->array().sizeBytes && !except.contains({symbol, index}))
            out.setByte(symbol, index, byte);
        }
      }
    }
    return out;
  }

  // --- 3
  /// Where a closed term reads symbolic arrays, under the model.
  void addPlaces(ExprPtr e, std::set<Place> &out) {
    for (ExprPtr read : readsOf(std::vector{e}, /*openOnly=*/false))
      if (ExprPtr symbol = symbolBelow(read->op(0))) out.insert({symbol, value(read->op(1))});
  }

  std::optional<Model> repaired(const Model &broken) {
    use(broken);
    std::set<Place> violated;
    for (ExprPtr e : asked_)
      if (!value(e)) addPlaces(e, violated);
    for (const Clause &clause : clauses_) {
      const uint64_t count = countOf(clause);
      for (uint64_t j = 1; j <= count; ++j)
        if (!holdsAt(clause, j)) addPlaces(bodyAt(clause, numbered(j)), violated);
    }
    std::vector<ExprPtr> more = asked_;
    std::unordered_set<ExprPtr> open; // arrays that quantified clauses read
    for (const Clause &clause : clauses_) {
      const uint64_t count = countOf(clause);
      for (ExprPtr read : clause.reads) {
        ExprPtr symbol = symbolBelow(read->op(0));
        if (!symbol) continue;
        open.insert(symbol);
        for (uint64_t j = 1; j <= count; ++j)
          if (violated.contains({symbol, indexAt(read, j)}))
            flattenConjunction(implied(clause, numbered(j)), more);
      }
    }
    Support cells;
    for (ExprPtr e : query_.constraints) mergeInto(cells, stage_.supports_.of(e));
    for (Cell cell : cells) {
      ExprPtr symbol = context_.symbols()[cell.symbol()];
      if (open.contains(symbol)) continue;
      const uint64_t from = cell.isWhole() ? 0 : cell.index();
      const uint64_t to = cell.isWhole() ? symbol->array().sizeBytes : from + 1;
      for (uint64_t i = from; i < to; ++i)
        more.push_back(
            context_.eq(context_.read(symbol, i), context_.constant(broken.byte(symbol, i), 8)));
    }
    unique(more);
    Answer answer = ask(more);
    if (answer.kind != AnswerKind::Sat) return std::nullopt;
    Model model = broken;
    Support told;
    for (ExprPtr e : more) mergeInto(told, stage_.supports_.of(e));
    copy(answer.model, told, model);
    if (holds(model)) return model;
    model = duplicated(model, violated);
    return holds(model) ? std::optional(model) : std::nullopt;
  }

  static void unique(std::vector<ExprPtr> &terms) {
    std::unordered_set<ExprPtr> seen;
    std::erase_if(terms, [&](ExprPtr e) { return e->isTrue() || !seen.insert(e).second; });
  }

  // --- 4
  /// Adds what the model violates; false: nothing.
  bool addViolated(const Model &model) {
    bool isNew = false;
    use(model);
    for (const Clause &clause : clauses_) {
      const uint64_t count = countOf(clause);
      for (uint64_t j = 1; j <= count; ++j) {
        if (holdsAt(clause, j)) continue;
        add(implied(clause, numbered(j)), {clause.origin});
        ++stage_.steps_.instances;
        isNew = true;
      }
    }
    return isNew;
  }

  Answer refine(Model model) {
    ++stage_.refinement_.asked;
    while (true) {
      const size_t before = asked_.size();
      // A model of all that was asked, which violates the query, violates a clause.
      if (!addViolated(model) || asked_.size() == before)
        return counted(Answer::unknown("solver: model fails the check by evaluation"),
                       stage_.steps_.refined);
      if (Clock::now() >= query_.deadline)
        return counted(Answer::unknown(UnknownReason::Timeout), stage_.steps_.refined);
      Answer answer = ask(asked_);
      if (answer.kind != AnswerKind::Sat) {
        ++(answer.kind == AnswerKind::Unsat ? stage_.refinement_.unsat
                                            : stage_.refinement_.unknown);
        return counted(std::move(answer), stage_.steps_.refined);
      }
      model = completed(answer.model);
      if (!holds(model)) {
        Model more = duplicated(model, {});
        if (!holds(more)) continue;
        model = std::move(more);
      }
      ++stage_.refinement_.sat;
      return found(std::move(model), stage_.steps_.refined);
    }
  }

  QuantifierStage &stage_;
  expr::ExprContext &context_;
  const Conjunction &query_;
  StageTimer &timer_;
  std::vector<ExprPtr> plain_;  ///< constraints without quantifiers
  std::vector<Clause> clauses_; ///< the others
  std::vector<ExprPtr> asked_;  ///< what the query implies, without quantifiers
  std::unordered_map<ExprPtr, std::vector<ExprPtr>> origins_; ///< of asked_, in the query
  ModelCheck check_;
  expr::Evaluator evaluator_;
  uint64_t version_ = 0;
};

Answer QuantifierStage::solve(const Conjunction &query) {
  if (!isQuantified(query)) return next_->solve(query);
  StageTimer timer(stats_);
  return timer.answered(Attempt(*this, query, timer).run());
}

void QuantifierStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  out.push_back(refinement_);
  next_->appendStats(out);
}

Answer ExpansionStage::solve(const Conjunction &query) {
  if (!isQuantified(query)) return next_->solve(query);
  std::vector<ExprPtr> expanded;
  for (ExprPtr e : query.constraints) flattenConjunction(expr::expand(context_, e), expanded);
  std::unordered_set<ExprPtr> seen;
  std::erase_if(expanded, [&](ExprPtr e) { return !seen.insert(e).second; });
  if (std::ranges::any_of(expanded, [](ExprPtr e) { return e->isFalse(); })) return Answer::unsat();
  if (expanded.empty()) return Answer::sat({});
  Conjunction part = query;
  part.constraints = expanded;
  Answer answer = next_->solve(part);
  answer.core.clear();
  return answer;
}

void putQuantifierStage(ChainBuilder &chain) {
  chain.put(std::make_unique<QuantifierStage>(chain.context, chain.takeSets(),
                                              QuantifierStage::Options{}));
}

} // namespace fathom::solver
