// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/HeaderJoin.h"

#include "explore/merge/MergedState.h"
#include "explore/merge/Region.h"

#include <algorithm>

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

} // namespace

bool HeaderJoin::wasJoined(const State &s, const State &root) {
  for (auto *n = s.decisions.last.get(); n && n != root.decisions.last.get(); n = n->previous.get())
    if (n->value.way == kJoined) return true;
  return false;
}

RoundWays::Before HeaderJoin::commonOf(const States &members) const {
  for (const Before &before : released_)
    if (std::ranges::all_of(members, [&](const auto &s) { return comesFrom(*s, before.path); }))
      return before;
  return {root_.path, root_.decisions};
}

// --- which state goes on

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
  if (isTrial_) {
    canJoin_ |= !signatures_.insert(join_.signature(*state, &steering_)).second;
    for (auto [slot, value] : valuesOf(*state))
      if (auto before = last_.find(slot); before != last_.end()) {
        // Signed: a number that counts down may do so below 0.
        const auto change = static_cast<int64_t>(value - before->second);
        Counter &c = counters_[slot];
        c.grows &= change >= 0;
        c.shrinks &= change <= 0;
      }
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
      joins_ += taken > 1;
      joinedStates_ += taken - 1;
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
  arrivals_ = joins_ = joinedStates_ = rounds_ = 0;
  first_.clear();
  released_.clear();
}

// --- joins

std::unique_ptr<State> HeaderJoin::joined(States &members) {
  const RoundWays ways(members, commonOf(members), Region::countersOf(root_),
                       *engine_.decisions.unsimplified(), engine_.services.context);
  std::unique_ptr<State> into = stateForAll(engine_, root_, ways.states(), *members[0]);
  into->path = ways.before().path;
  into->path.add(ways.condition());
  into->decisions = ways.before().decisions;
  const uint32_t function = into->top->function;
  into->decisions.push(
      {.function = function,
       .inst = static_cast<uint32_t>(into->ip - engine_.interpreter.code.codeOf(function)),
       .way = kJoined,
       .condition = ways.condition(),
       .asBuilt = ways.asBuilt()});
  Merged what;
  what.root = ways.before().path;
  what.condition = ways.condition();
  if (!joinValues(*into, ways, what)) return nullptr;
  for (ExprPtr e : ways.conditions()) what.members.push_back({e, 0});
  if (check_) check_(*into, what);
  for (const auto &s : members) Region::leaveTest(engine_, root_, *s, kMergedAway);
  return into;
}

bool HeaderJoin::joinValues(State &into, const RoundWays &ways, Merged &what) const {
  bool canChoose = true;
  const StateJoin::Values values{
      .synthesised = StateJoin::equalTerms,
      .chosen =
          [&](std::span<const ExprPtr> terms) {
            canChoose &= ways.areApart();
            return canChoose ? ways.value(terms) : terms[0];
          },
      .noted = [&](std::span<const ExprPtr> each, ExprPtr e) { what.note(each, e); }};
  return join_.join(into, ways.states(), values) && canChoose;
}

} // namespace fathom::explore
