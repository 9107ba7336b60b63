// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/RoundWays.h"

#include <algorithm>

namespace fathom::explore {

namespace {

template <class T> size_t commonLength(const std::vector<std::vector<T>> &lists, auto isSame) {
  for (size_t i = 0;; i++)
    for (const auto &list : lists)
      if (i >= list.size() || !isSame(list[i], lists[0][i])) return i;
}

/// By this, ways of a round are in the same order in every round.
std::pair<uint64_t, std::vector<uint64_t>> orderOf(expr::UnsimplifiedPtr l,
                                                   const expr::UnsimplifiedTerms &unsimplified,
                                                   const expr::Counters &counters) {
  std::vector<uint64_t> numbers;
  for (ExprPtr e : unsimplified.constantsOf(l))
    numbers.push_back(e->isConst() && e->width() <= 64 ? e->value() : 0);
  return {expr::UnsimplifiedTerms::shape(l, counters), std::move(numbers)};
}

} // namespace

RoundWays::RoundWays(std::span<const std::unique_ptr<State>> members, Before before,
                     const expr::Counters &counters, expr::UnsimplifiedTerms &unsimplified,
                     expr::ExprContext &context)
    : before_(std::move(before)), tree_(counters) {
  std::vector<PathPart> parts;
  std::vector<std::vector<ExprPtr>> constraints;
  std::vector<std::vector<const Decision *>> decisions;
  for (const auto &s : members) {
    parts.push_back(PathPart::since(*s, before_.path, before_.decisions));
    constraints.push_back(parts.back().constraints);
    decisions.push_back(parts.back().decisions);
  }
  const size_t sameConstraints =
      commonLength(constraints, [](ExprPtr a, ExprPtr b) { return a == b; });
  const size_t sameDecisions = commonLength(decisions, [](const Decision *a, const Decision *b) {
    return a->condition == b->condition && a->asBuilt == b->asBuilt && a->way == b->way;
  });
  for (size_t i = 0; i < sameConstraints; i++) before_.path.add(constraints[0][i]);
  for (size_t i = 0; i < sameDecisions; i++) before_.decisions.push(*decisions[0][i]);

  struct Way {
    const State *state;
    std::vector<expr::UnsimplifiedPtr> conditions;
    expr::UnsimplifiedPtr all;
    ExprPtr condition;
  };
  std::vector<Way> ways;
  for (size_t i = 0; i < parts.size(); i++) {
    PathPart &part = parts[i];
    auto drop = [](auto &list, size_t n) {
      list.erase(list.begin(), list.begin() + static_cast<ptrdiff_t>(n));
    };
    drop(part.constraints, sameConstraints);
    drop(part.decisions, sameDecisions);
    Way way{members[i].get(), part.unsimplifiedTerms(unsimplified, /*withImplied=*/false), nullptr,
            context.trueExpr()};
    for (expr::UnsimplifiedPtr l : way.conditions)
      way.all = way.all ? unsimplified.both(expr::Kind::And, way.all, l) : l;
    for (ExprPtr e : part.constraints) way.condition = context.bvAnd(way.condition, e);
    if (!way.all) way.all = unsimplified.of(context.trueExpr());
    ways.push_back(std::move(way));
  }
  std::ranges::sort(ways, {},
                    [&](const Way &way) { return orderOf(way.all, unsimplified, counters); });
  std::vector<patterns::NodeId> leaves;
  for (const Way &way : ways) {
    states_.push_back(way.state);
    conditions_.push_back(way.condition);
    leaves.push_back(patterns::ExecutionTree::kRoot);
    for (expr::UnsimplifiedPtr l : way.conditions) leaves.back() = tree_.add(leaves.back(), l);
  }
  std::vector<patterns::NodeId> sorted = leaves;
  std::ranges::sort(sorted);
  const bool isTree =
      std::ranges::adjacent_find(sorted) == sorted.end() &&
      std::ranges::all_of(leaves, [&](auto leaf) { return tree_.node(leaf).children.empty(); });
  if (isTree) {
    encoding_.emplace(tree_, leaves, unsimplified, context);
    asBuilt_ = encoding_->conditionAsBuilt();
    condition_ = encoding_->condition();
    if (!asBuilt_) asBuilt_ = unsimplified.of(context.trueExpr());
    return;
  }
  condition_ = context.falseExpr();
  for (const Way &way : ways) {
    asBuilt_ = asBuilt_ ? unsimplified.both(expr::Kind::Or, asBuilt_, way.all) : way.all;
    condition_ = context.bvOr(condition_, way.condition);
  }
}

} // namespace fathom::explore
