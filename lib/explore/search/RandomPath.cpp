// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// random-path: a random way down the tree of forks.
#include "explore/search/SearcherTable.h"

#include "explore/search/StayNear.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <utility>
#include <vector>

namespace fathom::explore {

namespace {
/// Random path selection: from the root of the tree of forks, a random child at every fork. Favours
/// states high in the tree, which have few constraints, and is not drawn into loops that fork at
/// every turn. Source: Cadar, Dunbar, Engler, "KLEE", OSDI 2008, Sec. 3.4. Nodes with a single live
/// child are contracted, so the tree has less than twice as many nodes as there are states.
///
/// A state that did not fork in this process (it was handed over, set aside, or belongs to a run
/// that is resumed) still has a place in the tree: where its log parts from those of the others.
/// The tree is their trie, in which each fork is one entry of the logs.
///
/// A way down is as many cache misses as the tree is deep: nodes are small and lie together.
class RandomPathSearcher final : public Searcher {
public:
  explicit RandomPathSearcher(const SearcherOptions &options)
      : rng_(options.rng), near_(options.interpreter), nodes_(1) {}

  State &next() override {
    // States whose query has timed out are seldom drawn: the query would take its time again and
    // again. So are states whose place has slow queries: a few of them would use up the time.
    for (unsigned draws = 0;; draws++) {
      uint32_t n = start(draws);
      while (nodes_[n].inner()) n = nodes_[n].child[rng_.flip()];
      State &state = stateOf(n);
      const Pending *pending = state.pending.get();
      if (pending && draws < kDraws && (pending->attempts || !isWorthIt(state))) continue;
      chosen_ = n;
      parentThen_ = nodes_[n].parent;
      drawn_ = &state;
      askedAt_ = pending ? state.position() : nullptr;
      return state;
    }
  }
  void spent(State &state, double turns) override {
    if (!askedAt_ || &state != drawn_) return;
    auto [it, isNew] = cost_.try_emplace(askedAt_, turns);
    if (!isNew) it->second += (turns - it->second) * kNewest;
  }
  void add(State *from, State &forked) override {
    const uint32_t leaf = make();
    nodes_[leaf].child[1] = static_cast<uint32_t>(states_.size());
    states_.push_back(&forked);
    leafOf_[&forked] = leaf;
    if (!root_)
      root_ = leaf;
    else if (auto it = leafOf_.find(from); isFork(forked) && from && it != leafOf_.end())
      insert(it->second, leaf, forked.forkedAt, /*side=*/1);
    else
      place(leaf, forked.log.bytes());
  }
  void remove(State &state) override {
    auto it = leafOf_.find(&state);
    const uint32_t leaf = it->second, inner = nodes_[leaf].parent;
    leafOf_.erase(it);
    // The last one takes its place.
    const uint32_t place = nodes_[leaf].child[1];
    if (states_[place] != states_.back()) {
      states_[place] = states_.back();
      nodes_[leafOf_[states_[place]]].child[1] = place;
    }
    states_.pop_back();
    if (!inner) {
      root_ = 0;
    } else {
      const uint32_t other = nodes_[inner].child[nodes_[inner].child[0] == leaf];
      replace(inner, other);
      if (leaf == chosen_ || inner == beside_) beside_ = other;
      release(inner);
    }
    release(leaf);
  }

private:
  static constexpr unsigned kDraws = 64;
  static constexpr double kNewest = 1.0 / 8; ///< the share of the newest turn in the mean

  /// Did it fork off in the turn of `from`? A state of a merged loop did elsewhere (MergePolicy).
  static bool isFork(const State &state) { return state.forkedAt < state.log.size(); }
  /// Where the way down begins: where there are many states, for a while where the last one ended,
  /// if that has forked, or at what was beside it, if its path has ended.
  uint32_t start(unsigned draws) {
    const uint32_t before = std::exchange(chosen_, 0), beside = std::exchange(beside_, 0);
    if (draws == 0 && near_.goesOn(states_.size())) {
      if (before && nodes_[before].parent != parentThen_) return nodes_[before].parent;
      if (!before && beside) return beside;
      near_.begin();
    }
    return root_;
  }
  /// A question is passed over the more often the longer they take at its place, so that those of
  /// all places get the same time.
  bool isWorthIt(const State &waits) {
    auto it = cost_.find(waits.position());
    return it == cost_.end() || it->second < 2 || rng_.next() * it->second < 4294967296.0;
  }
  /// Nodes are numbered; 0 is none.
  struct Node {
    uint32_t parent = 0;
    uint32_t child[2] = {0, 0}; ///< of a leaf: none, and the place in states_
    uint32_t split : 24 = 0;    ///< of an inner node: where in the log its children part
    uint32_t second : 8 = 1;    ///< what stands there in the logs of child[1]
    bool inner() const { return child[0]; }
  };
  /// Longer logs part there as far as the tree is concerned: they are siblings.
  static constexpr uint64_t kLongest = (1 << 24) - 1;

  uint32_t make() {
    if (free_.empty()) {
      nodes_.emplace_back();
      return static_cast<uint32_t>(nodes_.size() - 1);
    }
    const uint32_t n = free_.back();
    free_.pop_back();
    nodes_[n] = {};
    return n;
  }
  void release(uint32_t n) {
    if (n == chosen_) chosen_ = 0;
    if (n == beside_) beside_ = 0;
    free_.push_back(n);
  }
  State &stateOf(uint32_t leaf) { return *states_[nodes_[leaf].child[1]]; }

  /// `by` stands where `at` stood.
  void replace(uint32_t at, uint32_t by) {
    const uint32_t parent = nodes_[at].parent;
    nodes_[by].parent = parent;
    if (parent)
      nodes_[parent].child[nodes_[parent].child[1] == at] = by;
    else
      root_ = by;
  }
  /// Puts the leaf beside `at`, below a node of their own. `side`: which child it is.
  void insert(uint32_t at, uint32_t leaf, uint64_t split, unsigned side, uint8_t second = 1) {
    const uint32_t inner = make();
    replace(at, inner);
    Node &n = nodes_[inner];
    n.split = static_cast<uint32_t>(std::min(split, kLongest)) & kLongest;
    n.second = second;
    n.child[side] = leaf;
    n.child[!side] = at;
    nodes_[at].parent = nodes_[leaf].parent = inner;
  }
  /// Where its log belongs. Costs a walk down the tree, and reading two logs.
  void place(uint32_t leaf, const std::string &log) {
    auto byteAt = [&](const std::string &bytes, uint64_t i) {
      return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t(0);
    };
    auto below = [&](uint32_t n) {
      return nodes_[n].child[byteAt(log, nodes_[n].split) == nodes_[n].second];
    };
    uint32_t nearest = root_;
    while (nodes_[nearest].inner()) nearest = below(nearest);
    const std::string other = stateOf(nearest).log.bytes();
    const auto split = static_cast<uint64_t>(
        std::mismatch(log.begin(), log.end(), other.begin(), other.end()).first - log.begin());
    uint32_t at = root_;
    while (nodes_[at].inner() && nodes_[at].split < split) at = below(at);
    const uint8_t mine = byteAt(log, split), others = byteAt(other, split);
    const bool isSecond = mine > others;
    insert(at, leaf, split, isSecond, isSecond ? mine : others);
  }

  Rng &rng_;
  uint32_t root_ = 0;
  uint32_t chosen_ = 0, parentThen_ = 0; ///< the leaf, while it is there, and what it was below
  uint32_t beside_ = 0; ///< what had the same parent as the last choice, which is gone
  StayNear near_;
  const State *drawn_ = nullptr;                       ///< last, to be compared only
  const program::Inst *askedAt_ = nullptr;             ///< where it waited, if it did
  llvm::DenseMap<const program::Inst *, double> cost_; ///< of questions there, in the mean
  std::vector<Node> nodes_;
  std::vector<uint32_t> free_;
  std::vector<State *> states_;
  llvm::DenseMap<State *, uint32_t> leafOf_;
};
} // namespace

std::unique_ptr<Searcher> makeRandomPath(const SearcherOptions &options, std::string &) {
  return std::make_unique<RandomPathSearcher>(options);
}

} // namespace fathom::explore
