// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/Region.h"

#include "solver/Support.h"

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
  first->repeats = LogFollower::isFollowed(root_);
  first->passed = first->ip;
  Calls::ownTopFrame(*first);
  engine_.machine.memory.flushTlb(); // pages of the root are shared now
  open_.push_back(std::move(first));
  const uint64_t until = engine_.machine.instructions + limits_.maxInstructions;
  while (!open_.empty()) {
    if (engine_.turn.mustStop() || engine_.turn.sinkFailed) return Result::Stopped;
    if (open_.size() + leaves_.size() > limits_.maxStates || engine_.machine.instructions > until)
      return Result::TooMany;
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
    leaves_.push_back({std::move(state)});
  }
  // Which of two states goes on and which is the copy depends on the witness: the tree must not, or
  // whoever follows a log would come to another one.
  std::ranges::sort(leaves_, {}, [](const RegionLeaf &leaf) { return leaf.state->identity; });
  for (RegionLeaf &leaf : leaves_) plant(leaf);
  return Result::Whole;
}

/// The leaf's conditions since the root: what it decided, implied sides too, and in between what
/// else its path says.
void Region::plant(RegionLeaf &leaf) {
  expr::Literals &literals = *engine_.decisions.literals();
  const State &s = *leaf.state;
  std::vector<ExprPtr> constraints;
  for (auto *n = s.path.last(); n && n != root_.path.last(); n = n->previous.get())
    constraints.push_back(n->constraint);
  std::ranges::reverse(constraints);
  std::vector<const Decision *> decisions;
  for (auto *n = s.decisions.last.get(); n && n != root_.decisions.last.get();
       n = n->previous.get())
    decisions.push_back(&n->value);
  std::ranges::reverse(decisions);

  size_t next = 0; // constraint
  auto add = [&](expr::LiteralPtr l) { leaf.node = tree_.add(leaf.node, l); };
  for (const Decision *d : decisions) {
    if (!d->condition || d->condition->isTrue()) continue;
    if (!d->isImplied) {
      std::vector<ExprPtr> parts;
      solver::flattenConjunction(d->condition, parts);
      auto isPart = [&](ExprPtr e) { return std::ranges::find(parts, e) != parts.end(); };
      // It may be that all of it was known.
      const auto from = constraints.begin() + static_cast<ptrdiff_t>(next);
      if (std::find_if(from, constraints.end(), isPart) != constraints.end()) {
        while (!isPart(constraints[next])) add(literals.of(constraints[next++]));
        while (next < constraints.size() && isPart(constraints[next])) next++;
      }
    }
    add(d->asBuilt);
  }
  while (next < constraints.size()) add(literals.of(constraints[next++]));
}

} // namespace fathom::explore
