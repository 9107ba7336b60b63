// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// random-path: a random way down the tree of forks.
#include "explore/search/SearcherTable.h"

#include <algorithm>
#include <unordered_map>

namespace fathom::explore {

namespace {
/// Random path selection: from the root of the tree of forks, a random child at every fork. Favours
/// states high in the tree, which have few constraints, and is not drawn into loops that fork at
/// every turn. Source: Cadar, Dunbar, Engler, "KLEE", OSDI 2008, Sec. 3.4. Nodes with a single live
/// child are contracted, so the tree has less than twice as many nodes as there are states.
///
/// A state that nobody forks off here (it was handed over, set aside, or belongs to a run that is
/// resumed) has its place in the tree all the same: where its log parts from those of the others.
/// The tree is their trie, in which each fork is one entry of the logs.
class RandomPathSearcher final : public Searcher {
public:
  explicit RandomPathSearcher(Rng &rng) : rng_(rng) {}
  ~RandomPathSearcher() override { destroy(root_); }

  State &next() override {
    // What has timed out is seldom drawn: it would take its time again and again.
    for (unsigned draws = 0;; draws++) {
      Node *n = root_;
      while (!n->state) n = n->child[rng_.flip()];
      const Pending *pending = n->state->pending.get();
      if (!pending || !pending->attempts || draws == kDraws) return *n->state;
    }
  }
  static constexpr unsigned kDraws = 64;
  void add(State *from, State &forked) override {
    Node *leaf = new Node;
    leaf->state = &forked;
    leafOf_[&forked] = leaf;
    if (!root_)
      root_ = leaf;
    else if (auto it = leafOf_.find(from); it != leafOf_.end())
      insert(*it->second, *leaf, forked.forkedAt, /*side=*/1);
    else
      place(*leaf, forked.log.bytes());
  }
  void remove(State &state) override {
    auto it = leafOf_.find(&state);
    Node *leaf = it->second, *inner = leaf->parent;
    leafOf_.erase(it);
    if (!inner)
      root_ = nullptr;
    else {
      Node *other = inner->child[inner->child[0] == leaf];
      other->parent = inner->parent;
      if (inner->parent)
        inner->parent->child[inner->parent->child[1] == inner] = other;
      else
        root_ = other;
      delete inner;
    }
    delete leaf;
  }

private:
  struct Node {
    Node *parent = nullptr, *child[2] = {nullptr, nullptr};
    State *state = nullptr;
    uint64_t split = 0; ///< of an inner node: where in the log its children part
    uint8_t second = 1; ///< what stands there in the logs of child[1]
  };
  /// Puts the leaf beside `at`, below a node of their own. `side`: which child it is.
  void insert(Node &at, Node &leaf, uint64_t split, unsigned side, uint8_t second = 1) {
    Node *inner = new Node;
    inner->parent = at.parent;
    inner->split = split;
    inner->second = second;
    inner->child[side] = &leaf;
    inner->child[!side] = &at;
    if (at.parent)
      at.parent->child[at.parent->child[1] == &at] = inner;
    else
      root_ = inner;
    at.parent = leaf.parent = inner;
  }
  /// Where its log belongs. Costs a walk down the tree, and reading two logs.
  void place(Node &leaf, const std::string &log) {
    auto byteAt = [&](const std::string &bytes, uint64_t i) {
      return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t(0);
    };
    Node *nearest = root_;
    while (!nearest->state)
      nearest = nearest->child[byteAt(log, nearest->split) == nearest->second];
    const std::string other = nearest->state->log.bytes();
    const auto split = static_cast<uint64_t>(
        std::mismatch(log.begin(), log.end(), other.begin(), other.end()).first - log.begin());
    Node *at = root_;
    while (!at->state && at->split < split) at = at->child[byteAt(log, at->split) == at->second];
    const uint8_t mine = byteAt(log, split), others = byteAt(other, split);
    const bool isSecond = mine > others;
    insert(*at, leaf, split, isSecond, isSecond ? mine : others);
  }
  static void destroy(Node *root) {
    std::vector<Node *> work{root};
    while (!work.empty()) {
      Node *n = work.back();
      work.pop_back();
      if (!n) continue;
      work.push_back(n->child[0]);
      work.push_back(n->child[1]);
      delete n;
    }
  }
  Rng &rng_;
  Node *root_ = nullptr;
  std::unordered_map<State *, Node *> leafOf_;
};
} // namespace

std::unique_ptr<Searcher> makeRandomPath(const SearcherOptions &options, std::string &) {
  return std::make_unique<RandomPathSearcher>(options.rng);
}

} // namespace fathom::explore
