// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/RangeStage.h"

#include "solver/StageTable.h"

#include "expr/Facts.h"
#include "expr/TermVisitor.h"

#include <algorithm>
#include <bit>

namespace fathom::solver {

using expr::Facts;
using expr::Kind;

static Facts factsOfSet(const ByteSet &set) {
  Facts f = Facts::any(8);
  if (set.empty()) return f; // a contradiction; found out elsewhere
  f.min = set.first();
  f.ones = 0xff;
  uint64_t some = 0;
  for (unsigned w = 0; w < 4; ++w)
    for (uint64_t bits = set.words[w]; bits; bits &= bits - 1) {
      uint64_t v = w * 64 + static_cast<unsigned>(std::countr_zero(bits));
      f.ones &= v;
      some |= v;
      f.max = v;
    }
  f.zeros = ~some;
  f.tighten();
  return f;
}

static Facts factsOfTable(const expr::ArrayInfo &table, const Facts &index) {
  constexpr uint64_t kMaxEntries = 256;
  if (index.max >= table.sizeBytes || index.max - index.min >= kMaxEntries) return Facts::any(8);
  ByteSet values;
  for (uint64_t i = index.min; i <= index.max; ++i)
    if (index.admits(i)) values.add(table.contents[i]);
  return factsOfSet(values);
}

/// True when the goal cannot hold for any bytes within their domains.
bool RangeStage::impossible(ExprPtr root, bool cheapStagesOnly) {
  // A path that is followed without asking comes here at every branch.
  constexpr uint32_t kCheapHeight = 64;
  const size_t mostTerms = cheapStagesOnly ? 200 : 1000;
  if (cheapStagesOnly && root->height() > kCheapHeight) return false;
  std::vector<Facts> known;
  expr::TermNotes places; // in known
  std::vector<ExprPtr> stack{root};
  while (!stack.empty()) {
    if (known.size() > mostTerms) return false;
    ExprPtr e = stack.back();
    if (places.has(e)) {
      stack.pop_back();
      continue;
    }
    Facts ops[3], result;
    bool complete = true;
    for (unsigned i = 0; i < e->numOps(); ++i) {
      ExprPtr op = e->op(i);
      if (op->isArray() || op->width() > 64) continue;
      if (op->isConst()) {
        ops[i] = Facts::exactly(op->value());
      } else if (places.has(op)) {
        ops[i] = known[places.get(op)];
      } else {
        stack.push_back(op);
        complete = false;
      }
    }
    if (!complete) continue;
    stack.pop_back();
    if (e->width() > 64) {
      result = Facts{};
    } else if (e->kind() == Kind::Read) {
      result = Facts::any(8);
      ExprPtr array = e->op(0);
      if (array->kind() == Kind::SymbolArray && e->op(1)->isConst())
        result = factsOfSet(index_->domain(Cell::of(array->array().index, e->op(1)->value())));
      else if (array->kind() == Kind::ConstArray)
        result = factsOfTable(array->array(), ops[1]);
    } else {
      result = expr::combineFacts(e, ops);
    }
    if (!result.possible()) return true; // the path's own constraints contradict each other
    places.set(e, known.size());
    known.push_back(result);
  }
  return known[places.get(root)].max == 0;
}

Answer RangeStage::decide(const Query &query) {
  index_->sync(query.path);
  if (index_->contradictory()) return Answer::unsat();
  std::vector<ExprPtr> conjuncts;
  flattenConjunction(query.goal, conjuncts);
  struct Choice {
    Cell cell;
    uint32_t id;
    ByteSet values;
  };
  std::vector<Choice> choices; // one per byte
  bool complete = query.witness != nullptr;
  for (ExprPtr e : conjuncts) {
    if (e->isFalse() || index_->holds(context_.bvNot(e))) return Answer::unsat();
    if (index_->holds(e)) continue;
    const ConstraintInfo &info = index_->info(e);
    if (info.isGround) {
      if (!info.groundValue) return Answer::unsat();
      continue;
    }
    if (!info.isSingle) {
      complete = false;
      if (impossible(e, query.cheapStagesOnly)) return Answer::unsat();
      continue;
    }
    const uint32_t id = info.cells[0];
    auto it =
        std::find_if(choices.begin(), choices.end(), [&](const Choice &c) { return c.id == id; });
    if (it == choices.end())
      it = choices.insert(it, {info.support->front(), id, index_->domain(id)});
    it->values &= info.values;
    if (it->values.empty()) return Answer::unsat();
    if (index_->isCoupled(id)) complete = false;
  }
  if (!complete) return Answer::unknown("undecided");
  if (!query.needModel) return Answer::sat({});
  Model model = *query.witness;
  for (const Choice &c : choices) {
    ExprPtr symbol = index_->symbol(c.cell.symbol());
    if (!c.values.has(model.byte(symbol, c.cell.index())))
      model.setByte(symbol, c.cell.index(), static_cast<uint8_t>(c.values.first()));
  }
  return Answer::sat(std::move(model));
}

Answer RangeStage::check(const Query &query) {
  StageTimer timer(stats_);
  Answer answer = decide(query);
  if (answer.kind != AnswerKind::Unknown || query.cheapStagesOnly)
    return timer.answered(std::move(answer));
  return timer.pass([&] { return next_->check(query); });
}

std::vector<StageStats> RangeStage::stats() const {
  std::vector<StageStats> all{stats_}, below = next_->stats();
  all.insert(all.end(), below.begin(), below.end());
  return all;
}

void RangeStage::dropCaches() {
  index_->clear();
  next_->dropCaches();
}

void putRangeStage(ChainBuilder &chain) {
  chain.put(std::make_unique<RangeStage>(chain.context, chain.index, chain.takePaths()));
}

} // namespace fathom::solver
