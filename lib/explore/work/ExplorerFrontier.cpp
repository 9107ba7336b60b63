// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an explorer gives to others and hears from them: paths, and what is covered.
#include "explore/work/Explorer.h"
#include "explore/work/Protocol.h"

#include <algorithm>

namespace fathom::explore {

std::vector<PathPrefix> Explorer::giveAway(size_t most, std::vector<uint64_t> &identities) {
  std::vector<PathPrefix> given;
  listensAtFork_ = false;
  most = std::min(most, unfinished() / 2);
  if (suspended_.size() < most) putBackWaiting();
  for (; given.size() < most && !suspended_.empty(); suspended_.pop_front())
    given.push_back(std::move(suspended_.front()));
  most -= given.size();
  std::vector<State *> order;
  for (auto &[key, state] : states_) order.push_back(key);
  most = std::min(most, order.size());
  auto nearer = [](const State *a, const State *b) {
    const uint64_t x = uint64_t(a->forks) + a->left, y = uint64_t(b->forks) + b->left;
    return x != y ? x < y : a->id < b->id;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(most), order.end(),
                    nearer);
  for (size_t i = 0; i < most; i++) {
    given.push_back(executor_->prefixOf(*order[i]));
    if (auto identity = order[i]->decidedIdentity()) identities.push_back(*identity);
    drop(*order[i]);
  }
  return given;
}

std::string Explorer::frontier() const {
  std::vector<const State *> order;
  order.reserve(states_.size());
  for (auto &[key, state] : states_) order.push_back(state.get());
  std::sort(order.begin(), order.end(),
            [](const State *a, const State *b) { return a->id < b->id; });
  PathTree tree;
  for (const State *s : order)
    tree.add(s->log, {.log = {},
                      .newlyCovered = executor_->newlyCoveredOf(*s),
                      .attempts = s->attempts(),
                      .excludedPaths = s->excludedPaths,
                      .input = s->offeredInput()});
  std::vector<PathPrefix> waiting = executor_->restorer.all();
  waiting.insert(waiting.end(), suspended_.begin(), suspended_.end());
  waiting.insert(waiting.end(), inputs_.waiting.begin(), inputs_.waiting.end());
  return encode(std::move(waiting), std::move(tree));
}

std::vector<uint32_t> Explorer::takeCovered() {
  return std::exchange(executor_->interpreter.coverage.justCovered, {});
}

void Explorer::noteCovered(const std::vector<uint32_t> &others) {
  Interpreter &m = executor_->interpreter;
  for (uint32_t what : others) {
    uint8_t &covered = what & Coverage::kSideBit ? m.coverage.sideCover[what & ~Coverage::kSideBit]
                                                 : m.coverage.cover[what];
    m.coverage.newCoverage += !covered; // searchers look again
    covered = 1;
  }
}

void Explorer::forgetCovered(const std::vector<uint32_t> &others) {
  Interpreter &m = executor_->interpreter;
  for (uint32_t what : others)
    (what & Coverage::kSideBit ? m.coverage.sideCover[what & ~Coverage::kSideBit]
                               : m.coverage.cover[what]) = 0;
}

} // namespace fathom::explore
