// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/HeaderJoin.h"

#include "explore/merge/Region.h"

#include <algorithm>
#include <set>

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
std::pair<uint64_t, std::vector<uint64_t>>
orderOf(expr::LiteralPtr l, const expr::Literals &literals, const expr::Counters &counters) {
  std::vector<uint64_t> numbers;
  for (ExprPtr e : literals.constantsOf(l))
    numbers.push_back(e->isConst() && e->width() <= 64 ? e->value() : 0);
  return {expr::Literals::shape(l, counters), std::move(numbers)};
}

} // namespace

bool HeaderJoin::wasJoined(const State &s, const State &root) {
  for (auto *n = s.decisions.last.get(); n && n != root.decisions.last.get(); n = n->previous.get())
    if (n->value.way == kJoined) return true;
  return false;
}

HeaderJoin::Before HeaderJoin::commonOf(const States &members) const {
  for (const Before &before : released_)
    if (std::ranges::all_of(members, [&](const auto &s) { return comesFrom(*s, before.path); }))
      return before;
  return {root_.path, root_.decisions};
}

// --- who goes on

std::map<uint32_t, uint64_t> HeaderJoin::valuesOf(const State &s) const {
  std::map<uint32_t, uint64_t> values;
  llvm::BitVector live = join_.liveAt(s);
  live &= steering_;
  for (unsigned slot : live.set_bits())
    if (!s.top->syms || !s.top->syms[slot]) values[slot] = s.top->bits()[slot];
  return values;
}

uint64_t HeaderJoin::progressOf(const State &s) const {
  uint64_t sum = 0;
  bool isKnown = false;
  for (auto [slot, value] : isTrial_ ? std::map<uint32_t, uint64_t>{} : valuesOf(s))
    if (auto c = counters_.find(slot); c != counters_.end() && c->second.isProgress()) {
      const uint64_t from = first_.contains(slot) ? first_.at(slot) : 0;
      sum += c->second.grows ? value - from : from - value;
      isKnown = true;
    }
  return isKnown ? sum : rounds_ + 1;
}

void HeaderJoin::arrived(std::unique_ptr<State> state) {
  arrivals_++;
  if (isTrial_)
    for (auto [slot, value] : valuesOf(*state))
      if (auto before = last_.find(slot); before != last_.end()) {
        // A number that changes by more than any loop counts is none.
        const auto change = static_cast<int64_t>(value - before->second);
        Counter &c = counters_[slot];
        c.grows &= change >= 0;
        c.shrinks &= change <= 0;
      }
  size_++;
  waiting_[progressOf(*state)].push_back(std::move(state));
}

std::unique_ptr<State> HeaderJoin::next() {
  auto least = waiting_.begin();
  States &all = least->second;
  std::ranges::sort(all, {}, [](const auto &s) { return s->identity; });
  std::unique_ptr<State> next;
  // Where values cannot be chosen, those that hold the very same become one.
  for (const llvm::BitVector *steering :
       {&steering_, static_cast<const llvm::BitVector *>(nullptr)}) {
    States same = takeSame(all, steering);
    const size_t taken = same.size();
    next = taken == 1 ? std::move(same[0]) : joined(same);
    if (next) {
      size_ -= taken;
      break;
    }
    std::ranges::move(same, std::back_inserter(all));
    std::ranges::sort(all, {}, [](const auto &s) { return s->identity; });
  }
  rounds_ = least->first; // where rounds are counted
  if (all.empty()) waiting_.erase(least);
  if (isTrial_) last_ = valuesOf(*next);
  if (first_.empty()) first_ = valuesOf(*next);
  constexpr size_t kKept = 16;
  released_.push_front({next->path, next->decisions});
  if (released_.size() > kKept) released_.pop_back();
  next->passed = next->ip;
  return next;
}

/// The first of them and those that are the same.
HeaderJoin::States HeaderJoin::takeSame(States &all, const llvm::BitVector *steering) const {
  States same, others;
  const uint64_t signature = join_.signature(*all[0], steering);
  same.push_back(std::move(all[0]));
  for (size_t i = 1; i < all.size(); i++) {
    const bool isSame = join_.signature(*all[i], steering) == signature &&
                        join_.isSame(*same[0], *all[i], steering);
    (isSame ? same : others).push_back(std::move(all[i]));
  }
  all = std::move(others);
  return same;
}

HeaderJoin::States HeaderJoin::takeAll() {
  States out;
  for (auto &[progress, states] : waiting_)
    for (auto &s : states) out.push_back(std::move(s));
  waiting_.clear();
  size_ = 0;
  return out;
}

void HeaderJoin::restart() {
  takeAll();
  isTrial_ = false;
  arrivals_ = rounds_ = 0;
  first_.clear();
  released_.clear();
}

// --- joins

/// How one of the members came there.
struct HeaderJoin::Way {
  const State *state;
  expr::LiteralPtr literal;
  ExprPtr condition; ///< the same without what the path implies: later questions have it in them
};

/// Members exclude one another: they are states of one exploration.
bool HeaderJoin::joinValues(State &into, std::span<const Way> ways, Merged &what) const {
  expr::ExprContext &context = engine_.services.context;
  expr::Literals &literals = *engine_.decisions.literals();
  std::vector<const State *> states;
  for (const Way &way : ways) states.push_back(way.state);
  auto built = [&](ExprPtr result, expr::Kind kind, std::initializer_list<ExprPtr> operands) {
    literals.built(result, kind, operands);
    return result;
  };
  auto chosen = [&](std::span<const ExprPtr> terms) {
    std::vector<std::pair<ExprPtr, ExprPtr>> values; // each once, and when it is that
    for (size_t i = 0; i < terms.size(); i++) {
      literals.note(ways[i].condition, ways[i].literal);
      auto it = std::ranges::find(values, terms[i], [](const auto &v) { return v.first; });
      if (it == values.end())
        values.emplace_back(terms[i], ways[i].condition);
      else
        it->second = built(context.bvOr(it->second, ways[i].condition), expr::Kind::Or,
                           {it->second, ways[i].condition});
    }
    ExprPtr e = values.back().first;
    for (size_t i = values.size() - 1; i-- > 0;)
      e = built(context.ite(values[i].second, values[i].first, e), expr::Kind::Ite,
                {values[i].second, values[i].first, e});
    return e;
  };
  auto same = [](std::span<const ExprPtr> terms) {
    const bool isOne = std::ranges::all_of(terms, [&](ExprPtr e) { return e == terms[0]; });
    return isOne ? terms[0] : nullptr;
  };
  auto noted = [&](std::span<const ExprPtr> each, ExprPtr merged) {
    what.values.push_back({{each.begin(), each.end()}, merged});
  };
  return join_.join(into, states, {.synthesised = same, .chosen = chosen, .noted = noted});
}

std::unique_ptr<State> HeaderJoin::joined(States &members) {
  expr::ExprContext &context = engine_.services.context;
  expr::Literals &literals = *engine_.decisions.literals();
  const Before before = commonOf(members);
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
  const size_t sameDecisions = commonLength(decisions, [](const Decision *a, const Decision *b) {
    return a->condition == b->condition && a->asBuilt == b->asBuilt && a->way == b->way;
  });

  std::vector<Way> ways;
  for (size_t i = 0; i < parts.size(); i++) {
    PathPart &part = parts[i];
    auto drop = [](auto &list, size_t n) {
      list.erase(list.begin(), list.begin() + static_cast<ptrdiff_t>(n));
    };
    drop(part.constraints, sameConstraints);
    drop(part.decisions, sameDecisions);
    Way way{members[i].get(), nullptr, context.trueExpr()};
    for (expr::LiteralPtr l : part.literals(literals))
      way.literal = way.literal ? literals.both(expr::Kind::And, way.literal, l) : l;
    for (ExprPtr e : part.constraints) way.condition = context.bvAnd(way.condition, e);
    if (!way.literal) way.literal = literals.of(context.trueExpr());
    ways.push_back(way);
  }
  const expr::Counters counters = Region::countersOf(root_);
  std::ranges::sort(ways, {},
                    [&](const Way &way) { return orderOf(way.literal, literals, counters); });
  expr::LiteralPtr any = nullptr;
  ExprPtr condition = context.falseExpr();
  for (const Way &way : ways) {
    any = any ? literals.both(expr::Kind::Or, any, way.literal) : way.literal;
    condition = context.bvOr(condition, way.condition);
  }

  auto into = std::make_unique<State>(*members[0]);
  into->id = engine_.forks.nextStateId++;
  into->repeats = members[0]->repeats;
  into->path = before.path;
  for (size_t i = 0; i < sameConstraints; i++) into->path.add(constraints[0][i]);
  into->path.add(condition);
  into->decisions = before.decisions;
  for (size_t i = 0; i < sameDecisions; i++) into->decisions.push(*decisions[0][i]);
  const uint32_t function = into->top->function;
  into->decisions.push(
      {.function = function,
       .inst = static_cast<uint32_t>(into->ip - engine_.machine.code.codeOf(function)),
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
  Merged what;
  if (!joinValues(*into, ways, what)) return nullptr;
  if (check_) {
    what.root = before.path;
    for (size_t i = 0; i < sameConstraints; i++) what.root.add(constraints[0][i]);
    what.condition = condition;
    for (const Way &way : ways) what.members.push_back({way.condition, 0});
    check_(*into, what);
  }
  return into;
}

} // namespace fathom::explore
