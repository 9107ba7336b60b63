// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ValueSetStage.h"

#include <algorithm>
#include <bit>

namespace fathom::solver {

using expr::Kind;

/// So many intervals a set may have, and so many values are compared one by one.
static constexpr size_t kMaxIntervals = 64;
static constexpr uint64_t kMaxValues = 4096;

static uint64_t maskOf(unsigned width) { return width == 64 ? ~0ull : (1ull << width) - 1; }

static void addRange(ValueSet &set, uint64_t lo, uint64_t hi) {
  if (lo <= hi) set.push_back({lo, hi, 1});
}

/// Those of a in [lo, hi].
static std::optional<Strided> clipped(const Strided &a, uint64_t lo, uint64_t hi) {
  Strided out = a;
  if (lo > a.hi || hi < a.lo) return std::nullopt;
  if (lo > a.lo) {
    const uint64_t steps = (lo - a.lo - 1) / a.stride + 1;
    if (steps > (a.hi - a.lo) / a.stride) return std::nullopt;
    out.lo = a.lo + steps * a.stride;
  }
  if (hi < out.lo) return std::nullopt;
  if (hi < a.hi) out.hi = out.lo + (hi - out.lo) / a.stride * a.stride;
  return out;
}

std::optional<ValueSet> intersection(const ValueSet &a, const ValueSet &b) {
  ValueSet out;
  for (const Strided &x : a)
    for (const Strided &y : b) {
      if (out.size() > kMaxIntervals) return std::nullopt;
      const Strided &coarse = x.stride >= y.stride ? x : y, &fine = x.stride >= y.stride ? y : x;
      const std::optional<Strided> both = clipped(coarse, fine.lo, fine.hi);
      if (!both) continue;
      if (fine.stride == 1) {
        out.push_back(*both);
        continue;
      }
      if (coarse.stride % fine.stride == 0) { // all of them are on the finer grid, or none
        if ((both->lo - fine.lo) % fine.stride == 0) out.push_back(*both);
        continue;
      }
      if ((both->hi - both->lo) / both->stride >= kMaxValues) return std::nullopt;
      for (uint64_t v = both->lo;; v += both->stride) {
        if ((v - fine.lo) % fine.stride == 0) out.push_back({v, v, 1});
        if (v == both->hi) break;
      }
    }
  if (out.size() > kMaxIntervals) return std::nullopt;
  return out;
}

/// The bytes of a term, the lowest first, if it is nothing but bytes of an input.
static bool collectBytes(ExprPtr e, InputNumber &number) {
  if (e->kind() == Kind::Concat)
    return collectBytes(e->op(1), number) && collectBytes(e->op(0), number);
  if (e->kind() != Kind::Read || !e->op(1)->isConst() || e->op(0)->kind() != Kind::SymbolArray)
    return false;
  const uint32_t symbol = e->op(0)->array().index;
  const uint64_t at = e->op(1)->value();
  if (!number.bytes) number.symbol = symbol, number.first = at;
  if (number.symbol != symbol || at != number.first + number.bytes) return false;
  return ++number.bytes <= 8;
}

/// Values of `e`, of those of its operand that it is made of.
static std::optional<ValueSet> throughAdd(const ValueSet &set, uint64_t constant, unsigned width) {
  ValueSet out;
  const uint64_t mask = maskOf(width);
  for (const Strided &s : set) {
    const uint64_t lo = (s.lo - constant) & mask, hi = (s.hi - constant) & mask;
    if (lo <= hi) {
      out.push_back({lo, hi, s.stride});
    } else if (s.stride == 1) {
      addRange(out, lo, mask);
      addRange(out, 0, hi);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

static ValueSet throughSExt(const ValueSet &set, unsigned from, unsigned to) {
  ValueSet out;
  const uint64_t half = 1ull << (from - 1), bias = maskOf(to) - maskOf(from);
  for (const Strided &s : set) {
    if (auto low = clipped(s, 0, half - 1)) out.push_back(*low);
    if (auto high = clipped(s, bias + half, maskOf(to)))
      out.push_back({high->lo - bias, high->hi - bias, high->stride});
  }
  return out;
}

/// The values of the number for which the term is in the set.
static std::optional<std::pair<InputNumber, ValueSet>> preimage(ExprPtr e, ValueSet set) {
  for (;;) {
    InputNumber number;
    if (e->width() <= 64 && collectBytes(e, number)) return std::pair(number, std::move(set));
    switch (e->kind()) {
    case Kind::ZExt: {
      ValueSet inner;
      for (const Strided &s : set)
        if (auto c = clipped(s, 0, maskOf(e->op(0)->width()))) inner.push_back(*c);
      set = std::move(inner);
      e = e->op(0);
      continue;
    }
    case Kind::SExt:
      set = throughSExt(set, e->op(0)->width(), e->width());
      e = e->op(0);
      continue;
    case Kind::Add: {
      const bool first = e->op(0)->isConst();
      if (!first && !e->op(1)->isConst()) return std::nullopt;
      auto inner = throughAdd(set, e->op(first ? 0 : 1)->value(), e->width());
      if (!inner) return std::nullopt;
      set = std::move(*inner);
      e = e->op(first ? 1 : 0);
      continue;
    }
    case Kind::URem:
    case Kind::And: {
      const bool first = e->op(0)->isConst();
      ExprPtr by = e->op(first ? 0 : 1), of = e->op(first ? 1 : 0);
      if (!by->isConst() || (e->kind() == Kind::URem && first)) return std::nullopt;
      const uint64_t stride = e->kind() == Kind::URem ? by->value() : by->value() + 1;
      const uint64_t most = maskOf(e->width());
      if (!stride || (e->kind() == Kind::And && !std::has_single_bit(stride))) return std::nullopt;
      ValueSet inner;
      for (const Strided &s : set)
        for (uint64_t v = s.lo; v < stride && v <= most; v += s.stride) {
          inner.push_back({v, v + (most - v) / stride * stride, stride});
          if (inner.size() > kMaxIntervals) return std::nullopt;
          if (v == s.hi) break;
        }
      set = std::move(inner);
      e = of;
      continue;
    }
    default: return std::nullopt;
    }
  }
}

std::optional<std::pair<InputNumber, ValueSet>> valueSetOf(ExprPtr clause) {
  bool holds = true;
  while (clause->kind() == Kind::Not) holds = !holds, clause = clause->op(0);
  const Kind kind = clause->kind();
  const bool isSigned = kind == Kind::Slt || kind == Kind::Sle;
  if (kind != Kind::Eq && kind != Kind::Ult && kind != Kind::Ule && !isSigned) return std::nullopt;
  ExprPtr a = clause->op(0), b = clause->op(1);
  if (a->isConst() == b->isConst() || a->width() > 64) return std::nullopt;
  const bool isLeft = b->isConst(); // the term is
  ExprPtr term = isLeft ? a : b;
  const unsigned width = term->width();
  const uint64_t most = maskOf(width), half = 1ull << (width - 1);
  const uint64_t c = (isLeft ? b : a)->value() ^ (isSigned ? half : 0); // in the order of comparing
  uint64_t lo = 0, hi = most;                                           // [lo, hi], or nothing
  bool none = false;
  if (kind == Kind::Eq) {
    lo = hi = c;
  } else {
    const bool strict = kind == Kind::Ult || kind == Kind::Slt;
    if (isLeft) {
      none = strict && c == 0;
      hi = c - strict;
    } else {
      none = strict && c == most;
      lo = c + strict;
    }
  }
  ValueSet ordered;
  if (holds) {
    if (!none) addRange(ordered, lo, hi);
  } else if (none) {
    addRange(ordered, 0, most);
  } else {
    if (lo > 0) addRange(ordered, 0, lo - 1);
    if (hi < most) addRange(ordered, hi + 1, most);
  }
  ValueSet set;
  for (const Strided &s : ordered) {
    if (!isSigned) {
      set.push_back(s);
      continue;
    }
    if (s.lo < half) addRange(set, s.lo + half, std::min(s.hi, half - 1) + half);
    if (s.hi >= half) addRange(set, std::max(s.lo, half) - half, s.hi - half);
  }
  return preimage(term, std::move(set));
}

const ValueSetStage::Clause &ValueSetStage::clauseOf(ExprPtr e) {
  std::unique_ptr<Clause> &clause = clauses_[e];
  if (!clause) {
    clause = std::make_unique<Clause>();
    clause->support = &supports_.of(e);
    clause->says = valueSetOf(e);
  }
  return *clause;
}

std::optional<ValueSet> ValueSetStage::onPath(const PathCondition &path,
                                              const InputNumber &number) {
  ValueSet set{{0, maskOf(8 * number.bytes), 1}};
  const Cell first = Cell::of(number.symbol, number.first),
             last = Cell::of(number.symbol, number.first + number.bytes - 1),
             whole = Cell::whole(number.symbol);
  for (const PathCondition::Node *n = path.last(); n; n = n->previous.get()) {
    const Clause &clause = clauseOf(n->constraint);
    const auto at = std::ranges::lower_bound(*clause.support, first);
    const bool touches = (at != clause.support->end() && *at <= last) ||
                         std::ranges::binary_search(*clause.support, whole);
    if (!touches) continue;
    if (!clause.says || clause.says->first != number) return std::nullopt;
    std::optional<ValueSet> both = intersection(set, clause.says->second);
    if (!both) return std::nullopt;
    set = std::move(*both);
  }
  return set;
}

Answer ValueSetStage::decide(const Query &query) {
  if (collections_ != context_.collections()) {
    clauses_.clear();
    collections_ = context_.collections();
  }
  std::vector<ExprPtr> conjuncts;
  flattenConjunction(query.goal, conjuncts);
  std::map<InputNumber, ValueSet> goal;
  for (ExprPtr e : conjuncts) {
    const Clause &clause = clauseOf(e);
    if (!clause.says) return Answer::unknown("not amenable");
    const auto &[number, set] = *clause.says;
    auto [at, isNew] = goal.try_emplace(number, set);
    if (isNew) continue;
    std::optional<ValueSet> both = intersection(at->second, set);
    if (!both) return Answer::unknown("too many intervals");
    at->second = std::move(*both);
  }
  for (auto a = goal.begin(); a != goal.end(); ++a) // two views of the same bytes
    for (auto b = std::next(a); b != goal.end(); ++b)
      if (a->first.symbol == b->first.symbol && b->first.first < a->first.first + a->first.bytes)
        return Answer::unknown("overlap");
  if (!query.witness) return Answer::unknown("no witness");
  Model model = query.needModel ? *query.witness : Model();
  for (const auto &[number, set] : goal) {
    std::optional<ValueSet> left = onPath(query.path, number);
    if (left) left = intersection(*left, set);
    if (!left) return Answer::unknown("tied to other numbers");
    if (left->empty()) return Answer::unsat();
    if (!query.needModel) continue;
    ExprPtr symbol = context_.symbols()[number.symbol];
    for (unsigned i = 0; i < number.bytes; i++)
      model.setByte(symbol, number.first + i, static_cast<uint8_t>(left->front().lo >> 8 * i));
  }
  return Answer::sat(std::move(model));
}

Answer ValueSetStage::check(const Query &query) {
  StageTimer timer(stats_);
  Answer answer = decide(query);
  if (answer.kind != AnswerKind::Unknown) return timer.answered(std::move(answer));
  return timer.pass([&] { return next_->check(query); });
}

std::vector<StageStats> ValueSetStage::stats() const {
  std::vector<StageStats> all{stats_}, below = next_->stats();
  all.insert(all.end(), below.begin(), below.end());
  return all;
}

void ValueSetStage::dropCaches() {
  clauses_.clear();
  supports_.clear();
  next_->dropCaches();
}

} // namespace fathom::solver
