// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/FormulaPattern.h"

#include <algorithm>
#include <cassert>

namespace fathom::patterns {

using expr::ExprContext;
using expr::ExprPtr;
using expr::UnsimplifiedPtr;
using expr::UnsimplifiedTerms;

namespace {

/// Generalises column by column: one template for each position in the lists `each`, which have
/// equal lengths.
std::optional<std::vector<TermTemplate>>
generalise(const std::vector<std::vector<UnsimplifiedPtr>> &each, std::span<const uint64_t> xs,
           const expr::Counters &counters, UnsimplifiedTerms &unsimplified, ExprContext &context) {
  std::vector<TermTemplate> templates;
  std::vector<UnsimplifiedPtr> column(each.size());
  for (size_t place = 0; place < each[0].size(); place++) {
    for (size_t l = 0; l < each.size(); l++) column[l] = each[l][place];
    auto t = TermTemplate::generalise(unsimplified, context, counters, column, xs);
    if (!t) return std::nullopt;
    templates.push_back(std::move(*t));
  }
  return templates;
}

} // namespace

std::optional<FormulaPattern> FormulaPattern::find(const ExecutionTree &tree,
                                                   const RegularGroup &group,
                                                   UnsimplifiedTerms &unsimplified,
                                                   ExprContext &context) {
  assert(!group.pattern.core.empty() && "a single leaf");
  FormulaPattern f;
  for (const auto &member : group.members) f.counts_.push_back(member.count);
  const NodeId start = tree.follow(ExecutionTree::kRoot, group.pattern.before);
  for (UnsimplifiedPtr l : tree.conditions(ExecutionTree::kRoot, start))
    f.first_.push_back(unsimplified.instantiate(l));

  std::vector<std::vector<UnsimplifiedPtr>> rounds, ends;
  std::vector<uint64_t> numbers;
  NodeId at = start;
  size_t next = 0;
  for (uint64_t count = 0;; count++) {
    if (group.members[next].count == count) {
      ends.push_back(tree.conditions(at, group.members[next].leaf));
      if (++next == group.members.size()) break;
    }
    const NodeId below = tree.follow(at, group.pattern.core);
    rounds.push_back(tree.conditions(at, below));
    numbers.push_back(count + 1);
    at = below;
  }
  if (!rounds.empty()) {
    auto templates = generalise(rounds, numbers, tree.counters(), unsimplified, context);
    if (!templates) return std::nullopt;
    f.round_ = std::move(*templates);
  }
  auto templates = generalise(ends, f.counts_, tree.counters(), unsimplified, context);
  if (!templates) return std::nullopt;
  f.last_ = std::move(*templates);
  return f;
}

std::vector<ExprPtr> FormulaPattern::at(const std::vector<TermTemplate> &parts,
                                        const UnsimplifiedTerms &unsimplified, ExprContext &context,
                                        ExprPtr x) {
  std::vector<ExprPtr> terms;
  for (const TermTemplate &t : parts) terms.push_back(t.at(unsimplified, context, x));
  return terms;
}

/// k is one of counts_: as intervals.
ExprPtr FormulaPattern::isCount(ExprContext &context, ExprPtr k) const {
  ExprPtr any = context.falseExpr();
  auto number = [&](uint64_t value) { return context.constant(value, 64); };
  for (size_t from = 0; from < counts_.size();) {
    size_t to = from;
    while (to + 1 < counts_.size() && counts_[to + 1] == counts_[to] + 1) to++;
    any = context.bvOr(any, context.bvAnd(context.ule(number(counts_[from]), k),
                                          context.ule(k, number(counts_[to]))));
    from = to + 1;
  }
  return any;
}

std::vector<ExprPtr> FormulaPattern::condition(const UnsimplifiedTerms &unsimplified,
                                               ExprContext &context, ExprPtr k) const {
  std::vector<ExprPtr> all{isCount(context, k)};
  all.insert(all.end(), first_.begin(), first_.end());
  if (maxCount() > 0) {
    ExprPtr body = context.trueExpr();
    for (ExprPtr e : round(unsimplified, context, context.bound(maxCount())))
      body = context.bvAnd(body, e);
    all.push_back(context.forall(maxCount(), k, body));
  }
  for (ExprPtr e : last(unsimplified, context, k)) all.push_back(e);
  return all;
}

ExprPtr mergedValue(std::span<const ExprPtr> values, const RegularGroup &group,
                    const expr::Counters &counters, UnsimplifiedTerms &unsimplified,
                    ExprContext &context, ExprPtr k) {
  if (std::ranges::all_of(values, [&](ExprPtr e) { return e == values[0]; })) return values[0];
  std::vector<UnsimplifiedPtr> each;
  std::vector<uint64_t> counts;
  for (size_t j = 0; j < values.size(); j++) {
    if (values[j]->width() != values[0]->width()) return nullptr;
    each.push_back(unsimplified.of(values[j]));
    counts.push_back(group.members[j].count);
  }
  auto t = TermTemplate::generalise(unsimplified, context, counters, each, counts);
  return t ? t->at(unsimplified, context, k) : nullptr;
}

} // namespace fathom::patterns
