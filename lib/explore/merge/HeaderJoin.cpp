// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/HeaderJoin.h"

#include "explore/merge/Region.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace fathom::explore {

namespace {

/// Decision::way of a join. Of a branch it is the side, of a value the value, which has a condition
/// that no join has.
constexpr uint64_t kJoined = 0x6a6f696e65640000;

bool comesFrom(const State &s, const solver::PathCondition &path) {
  auto *n = s.path.last();
  while (n && n->length > path.size()) n = n->previous.get();
  return n == path.last();
}

template <class T> size_t commonLength(const std::vector<std::vector<T>> &lists, auto isSame) {
  for (size_t i = 0;; i++)
    for (const auto &list : lists)
      if (i >= list.size() || !isSame(list[i], lists[0][i])) return i;
}

/// By this, ways of a round are in the same order in every round.
std::pair<uint64_t, std::vector<uint64_t>> orderOf(expr::LiteralPtr l, const expr::Literals &literals,
                                                   const expr::Counters &counters) {
  std::vector<uint64_t> numbers;
  for (ExprPtr e : literals.constantsOf(l))
    numbers.push_back(e->isConst() && e->width() <= 64 ? e->value() : 0);
  return {expr::Literals::shape(l, counters), std::move(numbers)};
}

} // namespace

bool HeaderJoin::wasJoined(const State &s, const State &root) {
  for (auto *n = s.decisions.last.get(); n && n != root.decisions.last.get();
       n = n->previous.get())
    if (n->value.way == kJoined) return true;
  return false;
}

const HeaderJoin::Before &HeaderJoin::commonOf(const States &members) const {
  for (const Before &before : released_)
    if (std::ranges::all_of(members, [&](const auto &s) { return comesFrom(*s, before.path); }))
      return before;
  atRoot_ = {root_.path, root_.decisions};
  return atRoot_;
}

std::unique_ptr<State> HeaderJoin::joined(States members) {
  expr::ExprContext &context = engine_.services.context;
  expr::Literals &literals = *engine_.decisions.literals();
  const Before &before = commonOf(members);
  std::vector<PathPart> parts;
  std::vector<std::vector<ExprPtr>> constraints;
  std::vector<std::vector<const Decision *>> decisions;
  for (const auto &s : members) {
    parts.push_back(PathPart::since(*s, before.path, before.decisions));
    constraints.push_back(parts.back().constraints);
    decisions.push_back(parts.back().decisions);
  }
  const size_t sameConstraints =
      commonLength(constraints, [](ExprPtr a, ExprPtr b) { return a == b; });
  const size_t sameDecisions =
      commonLength(decisions, [](const Decision *a, const Decision *b) {
        return a->condition == b->condition && a->asBuilt == b->asBuilt && a->way == b->way;
      });

  std::vector<expr::LiteralPtr> ways;
  for (PathPart &part : parts) {
    auto drop = [](auto &list, size_t n) {
      list.erase(list.begin(), list.begin() + static_cast<ptrdiff_t>(n));
    };
    drop(part.constraints, sameConstraints);
    drop(part.decisions, sameDecisions);
    expr::LiteralPtr all = nullptr;
    for (expr::LiteralPtr l : part.literals(literals))
      all = all ? literals.both(expr::Kind::And, all, l) : l;
    ways.push_back(all ? all : literals.of(context.trueExpr()));
  }
  const expr::Counters counters = Region::countersOf(root_);
  std::ranges::sort(ways, {}, [&](expr::LiteralPtr l) { return orderOf(l, literals, counters); });
  expr::LiteralPtr any = nullptr;
  for (expr::LiteralPtr l : ways) any = any ? literals.both(expr::Kind::Or, any, l) : l;
  ExprPtr condition = literals.instantiate(any);

  auto into = std::make_unique<State>(*members[0]);
  into->id = engine_.forks.nextStateId++;
  into->repeats = members[0]->repeats;
  into->path = before.path;
  for (size_t i = 0; i < sameConstraints; i++) into->path.add(constraints[0][i]);
  into->path.add(condition);
  into->decisions = before.decisions;
  for (size_t i = 0; i < sameDecisions; i++) into->decisions.push(*decisions[0][i]);
  const uint32_t function = into->top->function;
  into->decisions.push({.function = function,
                        .inst = static_cast<uint32_t>(
                            into->ip - engine_.machine.code.codeOf(function)),
                        .way = kJoined,
                        .condition = condition,
                        .asBuilt = any});
  into->identity = root_.identity;
  std::set<uint32_t> known;
  for (const auto &s : members) {
    into->identity = State::after(into->identity, s->identity);
    into->instructions = std::max(into->instructions, s->instructions);
    into->lastNewCoverage = std::max(into->lastNewCoverage, s->lastNewCoverage);
    for (auto *n = s->firsts.last.get(); n && n != root_.firsts.last.get(); n = n->previous.get())
      known.insert(n->value);
  }
  into->firsts = root_.firsts;
  for (uint32_t what : known) into->firsts.push(what);
  into->isMerged = true;
  Calls::ownTopFrame(*into);
  return into;
}

HeaderJoin::States HeaderJoin::next(States waiting) {
  std::ranges::sort(waiting, {}, [](const auto &s) { return s->identity; });
  std::vector<States> groups;
  std::unordered_map<uint64_t, std::vector<size_t>> alike; // groups by signature; looked up only
  for (auto &s : waiting) {
    std::vector<size_t> &candidates = alike[join_.signature(*s)];
    auto isSame = [&](size_t g) { return join_.isSame(*groups[g][0], *s); };
    auto g = std::ranges::find_if(candidates, isSame);
    if (g == candidates.end()) {
      g = candidates.insert(candidates.end(), groups.size());
      groups.emplace_back();
    }
    groups[*g].push_back(std::move(s));
  }
  States out;
  for (States &group : groups)
    out.push_back(group.size() == 1 ? std::move(group[0]) : joined(std::move(group)));
  released_.clear();
  for (const auto &s : out) released_.push_back({s->path, s->decisions});
  return out;
}

} // namespace fathom::explore
