// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The searchers: dfs, bfs, random-path, covnew, targets=..., and the one that interleaves several.
// To add one: derive from Searcher, and name it in makeSearcher at the end.
#include "explore/Searcher.h"

#include "explore/Distance.h"

#include "fmt/format.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <unordered_map>

namespace fathom::explore {

namespace {

constexpr std::string_view kTargets = "targets=";

/// Depth first: the newest state. Stays with a state until it ends.
class DfsSearcher final : public Searcher {
public:
  State &next() override { return *states_.back(); }
  void add(State *, State &forked) override { states_.push_back(&forked); }
  void remove(State &state) override { // nearly always the last one
    auto it = std::find(states_.rbegin(), states_.rend(), &state);
    states_.erase(std::next(it).base());
  }

private:
  std::vector<State *> states_;
};

/// Breadth first: every state in turn, the oldest first; a state that ran goes to the end.
class BfsSearcher final : public Searcher {
public:
  State &next() override { return *states_.front(); }
  void add(State *, State &forked) override { states_.push_back(&forked); }
  void remove(State &state) override {
    states_.erase(std::find(states_.begin(), states_.end(), &state));
  }
  void ran(State &state) override {
    if (states_.front() == &state) {
      states_.pop_front();
      states_.push_back(&state);
    }
  }

private:
  std::deque<State *> states_;
};

/// Random path selection: from the root of the tree of forks, a random child at every fork. Favours
/// states high in the tree, which have few constraints, and is not drawn into loops that fork at
/// every turn. Source: Cadar, Dunbar, Engler, "KLEE", OSDI 2008, Sec. 3.4. Nodes with a single live
/// child are contracted, so the tree has less than twice as many nodes as there are states.
class RandomPathSearcher final : public Searcher {
public:
  explicit RandomPathSearcher(Rng &rng) : rng_(rng) {}
  ~RandomPathSearcher() override { destroy(root_); }

  State &next() override {
    Node *n = root_;
    while (!n->state) n = n->child[rng_.flip()];
    return *n->state;
  }
  void add(State *from, State &forked) override {
    Node *leaf = new Node;
    leaf->state = &forked;
    leafOf_[&forked] = leaf;
    if (!root_) {
      root_ = leaf;
      return;
    }
    Node *old = from && leafOf_.count(from)
                    ? leafOf_[from]
                    : root_; // a removed parent cannot be: remove comes after add
    // The old leaf (or root) becomes an inner node above it and the new leaf.
    Node *inner = new Node;
    inner->parent = old->parent;
    inner->child[0] = old;
    inner->child[1] = leaf;
    if (old->parent)
      old->parent->child[old->parent->child[1] == old] = inner;
    else
      root_ = inner;
    old->parent = leaf->parent = inner;
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
  };
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

/// Draws states with probability proportional to a weight; Fenwick tree, O(log n) per draw and
/// update.
class WeightedSet {
public:
  void set(State *state, double weight) {
    auto [it, isNew] = index_.try_emplace(state, 0);
    if (isNew) {
      if (free_.empty()) {
        it->second = states_.size();
        states_.push_back(state);
        weights_.push_back(0);
        if (states_.size() >= tree_.size()) rebuild(states_.size() * 2 + 16);
      } else {
        it->second = free_.back();
        free_.pop_back();
        states_[it->second] = state;
      }
    }
    change(it->second, weight);
  }
  void erase(State *state) {
    auto it = index_.find(state);
    change(it->second, 0);
    states_[it->second] = nullptr;
    free_.push_back(it->second);
    index_.erase(it);
    if (++changes_ > 100000) rebuild(tree_.size()); // rounding does not accumulate
  }
  State *draw(Rng &rng) const {
    double at = (rng.next() + 0.5) / 4294967296.0 * total_;
    size_t pos = 0, step = 1;
    while (step * 2 < tree_.size()) step *= 2;
    for (; step; step /= 2)
      if (pos + step < tree_.size() && tree_[pos + step] < at) {
        pos += step;
        at -= tree_[pos];
      }
    // Rounding may lead to a place that is free: take the next one that is not.
    for (size_t i = 0; i < states_.size(); i++)
      if (State *s = states_[(pos + i) % states_.size()]) return s;
    return nullptr;
  }
  template <typename F> void reweigh(F weight) {
    for (size_t i = 0; i < states_.size(); i++)
      if (states_[i]) weights_[i] = weight(*states_[i]);
    rebuild(tree_.size());
  }

private:
  void change(size_t i, double weight) {
    double delta = weight - weights_[i];
    weights_[i] = weight;
    total_ += delta;
    for (size_t j = i + 1; j < tree_.size(); j += j & (~j + 1)) tree_[j] += delta;
  }
  void rebuild(size_t size) {
    tree_.assign(size, 0);
    total_ = 0;
    changes_ = 0;
    for (size_t i = 0; i < weights_.size(); i++) {
      total_ += weights_[i];
      for (size_t j = i + 1; j < tree_.size(); j += j & (~j + 1)) tree_[j] += weights_[i];
    }
  }
  std::vector<State *> states_;
  std::vector<double> weights_, tree_ = std::vector<double>(16);
  std::vector<size_t> free_;
  std::unordered_map<State *, size_t> index_;
  double total_ = 0;
  uint64_t changes_ = 0;
};

/// Weighted by nearness to instructions of interest and by recent success. For covnew the targets
/// are the own instructions that no path has reached; they are looked up again about once per
/// second of coverage progress.
class DistanceSearcher final : public Searcher {
public:
  using Target = std::function<bool(uint32_t function, uint32_t first, uint32_t end)>;
  DistanceSearcher(const Machine &machine, Rng &rng, Target isTarget, bool movingTargets)
      : machine_(machine), rng_(rng), isTarget_(std::move(isTarget)), moving_(movingTargets),
        distance_(machine.program()) {
    distance_.update(isTarget_);
  }
  State &next() override {
    if (moving_ && machine_.newCoverage != coverageSeen_ && machine_.instructions >= refreshAt_) {
      coverageSeen_ = machine_.newCoverage;
      refreshAt_ = machine_.instructions + kRefreshInstructions;
      distance_.update(isTarget_);
      set_.reweigh([this](State &s) { return weight(s); });
    }
    return *set_.draw(rng_);
  }
  void add(State *, State &forked) override { set_.set(&forked, weight(forked)); }
  void remove(State &state) override { set_.erase(&state); }
  void ran(State &state) override { set_.set(&state, weight(state)); }

private:
  static constexpr uint64_t kRefreshInstructions = 2000000;
  double weight(const State &s) const {
    uint32_t d = distance_.of(s, [this](uint32_t f) { return machine_.codeOf(f); });
    double near = 1.0 / (d >= DistanceMap::kFar ? 10000.0 : std::max(1u, d));
    uint64_t since = s.instructions - s.lastNewCoverage;
    double fresh =
        moving_ && s.lastNewCoverage
            ? 1.0 / static_cast<double>(std::max<uint64_t>(1, since > 1000 ? since - 1000 : 1))
            : 0;
    return near * near + fresh * fresh + 1e-12;
  }
  const Machine &machine_;
  Rng &rng_;
  Target isTarget_;
  bool moving_;
  DistanceMap distance_;
  WeightedSet set_;
  uint64_t coverageSeen_ = ~uint64_t(0), refreshAt_ = 0;
};

/// Asks its searchers in turn.
class InterleavedSearcher final : public Searcher {
public:
  explicit InterleavedSearcher(std::vector<std::unique_ptr<Searcher>> searchers)
      : searchers_(std::move(searchers)) {}
  State &next() override { return searchers_[turn_++ % searchers_.size()]->next(); }
  void add(State *from, State &forked) override {
    for (auto &s : searchers_) s->add(from, forked);
  }
  void remove(State &state) override {
    for (auto &s : searchers_) s->remove(state);
  }
  void ran(State &state) override {
    for (auto &s : searchers_) s->ran(state);
  }

private:
  std::vector<std::unique_ptr<Searcher>> searchers_;
  size_t turn_ = 0;
};

/// Does a path given by a user name this file? Whole components from the end must agree.
bool sameFile(const std::string &file, const std::string &asked) {
  return file == asked || (file.size() > asked.size() && file.ends_with(asked) &&
                           file[file.size() - asked.size() - 1] == '/');
}

std::unique_ptr<Searcher> makeTargets(const std::vector<std::string> &places,
                                      const Machine &machine, Rng &rng, std::string &error) {
  const program::Program &program = machine.program();
  std::vector<std::pair<std::string, uint32_t>> wanted;
  for (const std::string &place : places) {
    size_t colon = place.rfind(':');
    char *end = nullptr;
    unsigned long line =
        colon == std::string::npos ? 0 : strtoul(place.c_str() + colon + 1, &end, 10);
    if (!line || *end) {
      error = fmt::format("--search targets: '{}' is not FILE:LINE", place);
      return nullptr;
    }
    wanted.emplace_back(place.substr(0, colon), static_cast<uint32_t>(line));
  }
  auto hit = [wanted, &program](uint32_t function, uint32_t first, uint32_t end) {
    const auto &f = program.functions[function];
    for (uint32_t i = first; i < end; i++) {
      const program::Location &l = program.location(f, i);
      for (const auto &[file, line] : wanted)
        if (l.line == line && sameFile(program.files[l.file], file)) return true;
    }
    return false;
  };
  bool any = false;
  for (const auto &f : program.functions)
    any |= !f.code.empty() && hit(f.id, 0, static_cast<uint32_t>(f.code.size()));
  if (!any) {
    error = fmt::format("--search targets: no code at {} (is the line inside a function, and the "
                        "file part of the program?)",
                        places.front());
    return nullptr;
  }
  return std::make_unique<DistanceSearcher>(machine, rng, hit, /*movingTargets=*/false);
}

} // namespace

/// "dfs,targets=a.c:1,b.c:2,covnew" -> dfs | targets=a.c:1,b.c:2 | covnew: parts with a colon
/// belong to the targets before them.
static std::vector<std::string> splitNames(const std::string &names) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= names.size();) {
    size_t comma = std::min(names.find(',', at), names.size());
    std::string part = names.substr(at, comma - at);
    if (part.find(':') != std::string::npos && !part.starts_with(kTargets) && !parts.empty() &&
        parts.back().starts_with(kTargets))
      parts.back() += "," + part;
    else
      parts.push_back(part);
    at = comma + 1;
  }
  return parts;
}

std::string validateSearch(const std::string &names) {
  for (const std::string &n : splitNames(names))
    if (n != "dfs" && n != "bfs" && n != "random-path" && n != "covnew" && !n.starts_with(kTargets))
      return fmt::format(
          "--search: unknown searcher '{}' (dfs, bfs, random-path, covnew, targets=FILE:LINE)", n);
  return "";
}

// TOUR(8)
std::unique_ptr<Searcher> makeSearcher(const std::string &names, const Machine &machine, Rng &rng,
                                       std::string &error) {
  std::vector<std::unique_ptr<Searcher>> list;
  for (const std::string &n : splitNames(names)) {
    if (n == "dfs")
      list.push_back(std::make_unique<DfsSearcher>());
    else if (n == "bfs")
      list.push_back(std::make_unique<BfsSearcher>());
    else if (n == "random-path")
      list.push_back(std::make_unique<RandomPathSearcher>(rng));
    else if (n == "covnew")
      list.push_back(std::make_unique<DistanceSearcher>(
          machine, rng,
          [&machine](uint32_t function, uint32_t first, uint32_t) {
            const auto &f = machine.program().functions[function];
            return f.own && !machine.cover[f.coverBase + first];
          },
          /*movingTargets=*/true));
    else {
      auto s = makeTargets(splitNames(n.substr(kTargets.size())), machine, rng, error);
      if (!s) return nullptr;
      list.push_back(std::move(s));
    }
  }
  if (list.size() == 1) return std::move(list[0]);
  return std::make_unique<InterleavedSearcher>(std::move(list));
}

} // namespace fathom::explore
