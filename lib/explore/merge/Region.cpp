// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/Region.h"

#include "explore/merge/HeaderJoin.h"
#include "explore/merge/PathLiterals.h"

#include <algorithm>

namespace fathom::explore {

namespace {
/// Instructions of a state's turn.
constexpr int64_t kQuantum = 100'000;
} // namespace

expr::Counters Region::countersOf(const State &s) {
  expr::Counters counters;
  for (const ExprPtr *array : s.counters.items()) counters.insert(*array);
  return counters;
}

Region::Result Region::explore() {
  NestedTurns nested(engine_.turn);
  auto first = std::make_unique<State>(root_);
  first->id = engine_.forks.nextStateId++;
  first->repeats = isTrial_ || LogFollower::isFollowed(root_);
  first->passed = first->ip;
  if (record_) first->log.append(Record::Region, *record_);
  begins_ = first->log.size();
  Calls::ownTopFrame(*first);
  engine_.machine.memory.flushTlb(); // pages of the root are shared now
  open_.push_back(std::move(first));
  const uint64_t until = engine_.machine.instructions + limits_.maxInstructions;
  auto isLeft = [&] { return !open_.empty() || (joins_ && !joins_->isEmpty()); };
  while (isLeft()) {
    if (open_.empty()) {
      if (isTrial_ && joins_->hasLearned()) return Result::TooMany;
      open_.push_back(joins_->next());
      engine_.machine.memory.flushTlb(); // its pages are shared
    }
    if (engine_.turn.mustStop() || engine_.turn.sinkFailed) return Result::Stopped;
    const size_t states = unfinished() + leaves_.size();
    if (states > limits_.maxStates || engine_.machine.instructions > until) return giveUp();
    if (isRegular_ && states >= nextCheck_) {
      nextCheck_ *= 2;
      if (!isRegular_(*this)) return giveUp();
    }
    std::unique_ptr<State> state = std::move(open_.back());
    open_.pop_back();
    Step step = engine_.stepper.run(*state, kQuantum);
    if (step.suspended) return Result::Stopped;
    const bool isOut = std::exchange(engine_.turn.hasArrived, false);
    for (auto &forked : step.forked) open_.push_back(std::move(forked));
    if (!step.alive) continue;
    if (!isOut) {
      open_.push_back(std::move(state));
      continue;
    }
    if (joins_ && state->ip == header_ && state->top->serial == root_.top->serial)
      joins_->arrived(std::move(state));
    else
      leaves_.push_back({std::move(state)});
  }
  // Which of two states goes on and which is the copy depends on the witness: the tree must not, or
  // whoever follows a log would come to another one.
  std::ranges::sort(leaves_, {}, [](const RegionLeaf &leaf) { return leaf.state->identity; });
  for (RegionLeaf &leaf : leaves_) leaf.node = plant(tree_, *leaf.state);
  return Result::Whole;
}

bool Region::isUneventful(const State &leaf) const { return leaf.log.size() == begins_; }
size_t Region::unfinished() const { return open_.size() + (joins_ ? joins_->size() : 0); }

Region::Result Region::giveUp() {
  if (joins_) std::ranges::move(joins_->takeAll(), std::back_inserter(open_));
  return Result::TooMany;
}

merge::NodeId Region::plant(merge::ExecutionTree &tree, const State &leaf) const {
  merge::NodeId node = merge::ExecutionTree::kRoot;
  const PathPart part = PathPart::since(leaf, root_.path, root_.decisions);
  for (expr::LiteralPtr l : part.literals(*engine_.decisions.literals())) node = tree.add(node, l);
  return node;
}

merge::ExecutionTree Region::treeSoFar(std::vector<merge::NodeId> &nodes) const {
  merge::ExecutionTree tree(countersOf(root_));
  for (const RegionLeaf &leaf : leaves_) nodes.push_back(plant(tree, *leaf.state));
  return tree;
}

} // namespace fathom::explore
