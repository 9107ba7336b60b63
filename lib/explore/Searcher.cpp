// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The searchers: dfs, bfs, random-path, covnew, targets=..., and the one that interleaves several.
// To add one: derive from Searcher, and name it in makeSearcher at the end.
#include "explore/Searcher.h"

#include "explore/Distance.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <unordered_map>
#include <unordered_set>

namespace fathom::explore {

namespace {

constexpr std::string_view kTargets = "targets=";

/// States in an order that changes at its ends only: O(1) for all of it.
class StateQueue {
public:
  State &front() const { return *order_.front(); }
  State &back() const { return *order_.back(); }
  bool empty() const { return order_.empty(); }
  void append(State &state) { placeOf_[&state] = order_.insert(order_.end(), &state); }
  void remove(State &state) {
    auto it = placeOf_.find(&state);
    order_.erase(it->second);
    placeOf_.erase(it);
  }
  void toTheEnd(State &state) {
    order_.splice(order_.end(), order_, placeOf_.find(&state)->second);
  }

private:
  std::list<State *> order_;
  std::unordered_map<State *, std::list<State *>::iterator> placeOf_;
};

/// Depth first: the newest state. Stays with a state until it ends.
class DfsSearcher final : public Searcher {
public:
  State &next() override { return states_.back(); }
  void add(State *, State &forked) override { states_.append(forked); }
  void remove(State &state) override { states_.remove(state); }

private:
  StateQueue states_;
};

/// Breadth first: every state in turn, the oldest first; a state that ran goes to the end.
class BfsSearcher final : public Searcher {
public:
  State &next() override { return states_.front(); }
  void add(State *, State &forked) override { states_.append(forked); }
  void remove(State &state) override { states_.remove(state); }
  void ran(State &state) override { states_.toTheEnd(state); }

private:
  StateQueue states_;
};

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

/// Paths that are known to be feasible first, each to its end; when there is none, a pending state,
/// by random path selection among them. Source: Kapus, Busse, Cadar, ASE 2020, Sec. 3.
class PendingSearcher final : public Searcher {
public:
  explicit PendingSearcher(Rng &rng) : waiting_(rng) {}
  State &next() override { return feasible_.empty() ? waiting_.next() : feasible_.back(); }
  void add(State *from, State &forked) override {
    if (forked.pending)
      waiting_.add(isWaiting_.contains(from) ? from : nullptr, forked);
    else
      feasible_.append(forked);
    if (forked.pending) isWaiting_.insert(&forked);
  }
  void remove(State &state) override {
    if (isWaiting_.erase(&state))
      waiting_.remove(state);
    else
      feasible_.remove(state);
  }
  void ran(State &state) override {
    if (state.pending || !isWaiting_.erase(&state)) return;
    waiting_.remove(state); // its answer was yes
    feasible_.append(state);
  }

private:
  StateQueue feasible_;
  RandomPathSearcher waiting_;
  std::unordered_set<State *> isWaiting_; // looked up only
};

/// Numbers 0..n-1 drawn with probability proportional to a weight; Fenwick tree, O(log n) per draw
/// and update.
class WeightedIndex {
public:
  size_t size() const { return weights_.size(); }
  void append() {
    weights_.push_back(0);
    if (weights_.size() >= tree_.size()) rebuild(weights_.size() * 2 + 16);
  }
  void set(size_t i, double weight) {
    const double delta = weight - weights_[i];
    if (delta == 0) return;
    weights_[i] = weight;
    total_ += delta;
    for (size_t j = i + 1; j < tree_.size(); j += j & (~j + 1)) tree_[j] += delta;
    if (++changes_ > 100000) rebuild(tree_.size()); // rounding does not accumulate
  }
  /// Some number of weight above 0; there is one.
  size_t draw(Rng &rng) const {
    double at = (rng.next() + 0.5) / 4294967296.0 * total_;
    size_t pos = 0, step = 1;
    while (step * 2 < tree_.size()) step *= 2;
    for (; step; step /= 2)
      if (pos + step < tree_.size() && tree_[pos + step] < at) {
        pos += step;
        at -= tree_[pos];
      }
    // Rounding may lead to one of weight 0: take the next one that is not.
    for (size_t i = 0;; i++)
      if (size_t at = (pos + i) % weights_.size(); weights_[at] > 0) return at;
  }

private:
  void rebuild(size_t size) {
    tree_.assign(size, 0);
    total_ = 0;
    changes_ = 0;
    for (size_t i = 0; i < weights_.size(); i++) {
      total_ += weights_[i];
      for (size_t j = i + 1; j < tree_.size(); j += j & (~j + 1)) tree_[j] += weights_[i];
    }
  }
  std::vector<double> weights_, tree_ = std::vector<double>(16);
  double total_ = 0;
  uint64_t changes_ = 0;
};

/// First a place, then a state there. Places are call stacks: states at the same instruction with
/// the same calls pending have the same way to go, and there may be a hundred thousand of them at
/// one loop and a single one at the door to new code. A place weighs the more the nearer it is to
/// instructions of interest, and the less the more often it was chosen in vain, or the more time
/// its states take: one query of a second would otherwise count as much as one of a microsecond.
///
/// For covnew the targets are the own instructions that no path has reached; they are looked up
/// again when something new was covered. Differs from KLEE's nurs:covnew, which draws from all
/// states and so spends nearly all its time where nearly all states are.
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
      for (size_t i = 0; i < places_.size(); i++) {
        places_[i].turns = 0;
        places_[i].dear /= 2;
        if (places_[i].states.empty()) continue;
        places_[i].near = nearness(*places_[i].states.front());
        reweigh(i);
      }
    }
    const size_t i = index_.draw(rng_);
    places_[i].turns++;
    reweigh(i);
    const auto &there = places_[i].states;
    return *there[rng_.below(static_cast<uint32_t>(there.size()))];
  }
  void spent(State &state, double turns) override {
    if (turns <= 1) return;
    const size_t i = positionOf_.at(&state).place;
    places_[i].dear += turns - 1;
    reweigh(i);
  }
  void add(State *, State &forked) override { enter(forked); }
  void remove(State &state) override { leave(state); }
  void ran(State &state) override {
    leave(state);
    enter(state);
  }

private:
  static constexpr uint64_t kRefreshInstructions = 2000000;
  /// Places of pending states whose answers lead to no code: a twentieth of those that are next to
  /// new code, and what is left when all else is done.
  static constexpr double kWorthOfCheck = 0.05, kWorthOfOthers = 1e-6;
  static constexpr double kWorthOfNextAttempt = 0.1; ///< against the one before, which timed out
  static constexpr unsigned kCalls = 8; ///< that tell places apart; more would follow recursion
  struct Place {
    std::vector<State *> states;
    double near = 0;
    uint64_t turns = 0; ///< since something new was covered
    double dear = 0;    ///< what turns there cost beyond one each; halved when that happens
  };
  struct Position {
    size_t place, at;
  };

  double nearness(const State &s) const {
    if (!s.pending) return nearnessOfPosition(s);
    const Pending &p = *s.pending;
    const double again = std::pow(kWorthOfNextAttempt, p.attempts);
    switch (p.kind) {
    case Pending::Kind::Others: return again * kWorthOfOthers;
    case Pending::Kind::Check: return again * kWorthOfCheck;
    case Pending::Kind::Way: break;
    }
    const bool isNew = moving_ && p.own && !machine_.isSideCovered(p.branchId, p.side);
    return again * (isNew ? 1 : nearnessOfPosition(s));
  }
  double nearnessOfPosition(const State &s) const {
    const uint32_t d = distance_.of(s, [this](uint32_t f) { return machine_.codeOf(f); });
    return 1.0 / (d >= DistanceMap::kFar ? 1e6 : std::max(1u, d));
  }
  void reweigh(size_t i) {
    // Of two places of the same nearness, one where turns cost c times as much comes to get a
    // c^(1/2)-th of the turns. (The same time for both was worse: what is dear is often what is
    // new.)
    const Place &p = places_[i];
    index_.set(i, p.states.empty() ? 0 : p.near / (static_cast<double>(1 + p.turns) + p.dear));
  }
  void enter(State &state) {
    auto [it, isNew] = placeOf_.try_emplace(callStack(state), places_.size());
    if (isNew) {
      places_.emplace_back();
      index_.append();
    }
    Place &p = places_[it->second];
    positionOf_[&state] = {it->second, p.states.size()};
    p.states.push_back(&state);
    if (p.states.size() == 1) {
      p.near = nearness(state);
      reweigh(it->second);
    }
  }
  void leave(State &state) {
    auto it = positionOf_.find(&state);
    const Position where = it->second;
    positionOf_.erase(it);
    Place &p = places_[where.place];
    if (p.states.back() != &state) {
      p.states[where.at] = p.states.back();
      positionOf_[p.states[where.at]].at = where.at;
    }
    p.states.pop_back();
    if (p.states.empty()) reweigh(where.place);
  }
  static uint64_t callStack(const State &state) {
    uint64_t hash = 0;
    auto mix = [&](const void *at) {
      hash = (hash ^ reinterpret_cast<uintptr_t>(at)) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 29;
    };
    mix(state.position());
    if (const Pending *p = state.pending.get())
      hash += 1 + static_cast<uint64_t>(p->kind) + 16ull * p->attempts;
    unsigned calls = 0;
    for (const Frame *f = state.top; f && f->parent && calls < kCalls; f = f->parent, calls++)
      mix(f->parent->resume);
    return hash;
  }

  const Machine &machine_;
  Rng &rng_;
  Target isTarget_;
  bool moving_;
  DistanceMap distance_;
  std::vector<Place> places_;
  WeightedIndex index_;
  std::unordered_map<uint64_t, size_t> placeOf_;
  std::unordered_map<State *, Position> positionOf_;
  uint64_t coverageSeen_ = ~uint64_t(0), refreshAt_ = 0;
};

/// Asks its searchers in turn; one whose choices take longer is asked less often.
class InterleavedSearcher final : public Searcher {
public:
  explicit InterleavedSearcher(std::vector<std::unique_ptr<Searcher>> searchers)
      : searchers_(std::move(searchers)), spent_(searchers_.size(), 0) {}
  State &next() override {
    asked_ = static_cast<size_t>(std::min_element(spent_.begin(), spent_.end()) - spent_.begin());
    spent_[asked_] += 1;
    return searchers_[asked_]->next();
  }
  void spent(State &state, double turns) override {
    spent_[asked_] += turns - 1;
    for (auto &s : searchers_) s->spent(state, turns);
  }
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
  std::vector<double> spent_; ///< turns, per searcher
  size_t asked_ = 0;
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
    auto isWanted = [&](const program::Location &l) {
      for (const auto &[file, line] : wanted)
        if (l.line == line && sameFile(program.files[l.file], file)) return true;
      return false;
    };
    for (uint32_t i = first; i < end; i++)
      if (isWanted(program.location(f, i))) return true;
    // A line need not have an instruction.
    auto start = std::lower_bound(f.lineStarts.begin(), f.lineStarts.end(), std::pair(first, 0u));
    for (; start != f.lineStarts.end() && start->first < end; ++start)
      if (isWanted(program.locations[start->second])) return true;
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
    if (n != "dfs" && n != "bfs" && n != "random-path" && n != "covnew" && n != "pending" &&
        !n.starts_with(kTargets))
      return fmt::format("--search: unknown searcher '{}' (dfs, bfs, random-path, covnew, pending, "
                         "targets=FILE:LINE)",
                         n);
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
    else if (n == "pending")
      list.push_back(std::make_unique<PendingSearcher>(rng));
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
