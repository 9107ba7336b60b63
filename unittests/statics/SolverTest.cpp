// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver against the definition: rules applied to plain sets until nothing changes, on
// generated systems of constraints with cycles, moves, objects of several leaves, calls and late
// groups; and how many steps it takes where many pointers have large sets.
#include "statics/pointers/Solver.h"

#include "support/Rng.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace fathom::statics {
namespace {

/// A random system. Nodes: contents of locations, what is read anywhere, values. Some objects stand
/// for functions, and a call of one binds its argument and result and makes the function's group
/// count.
class RandomSource : public ConstraintSource {
public:
  explicit RandomSource(uint64_t seed) : rng_(seed), locations_(layouts_) {
    const LayoutId word = layouts_.leaf(8);
    const LayoutId pair = layouts_.structure(16, {{0, word}, {8, word}});
    const LayoutId mixed = layouts_.structure(40, {{0, word}, {8, layouts_.array(pair, 2)}});
    const LayoutId kinds[] = {word, pair, mixed, layouts_.array(pair, 3)};
    const uint32_t objects = 3 + pick(12);
    for (ObjectId o = 0; o < objects; o++) {
      locations_.add(o, kinds[pick(4)]);
      isFunction_.push_back(pick(4) == 0);
    }
    first_ = locations_.count() + objects;
    soles_ = nodes_ = first_ + 5 + pick(60);
    moves_ = {{8, {}}, {-8, {}}, {0, {16}}, {0, {8}}, {16, {40}}, {4, {}}};
    groups_.resize(1 + objects);
    for (Constraints &group : groups_) fill(group);
  }
  std::vector<GroupId> entries() override { return {0}; }
  Constraints make(GroupId group) override { return groups_[group]; }
  Constraints bind(const Constraints::Call &call, LocationId location) override {
    Constraints out;
    const ObjectId object = locations_.objectOf(location);
    if (!isFunction_[object]) return out;
    for (const NodeId argument : call.arguments)
      out.copies.push_back({first_ + object % 5, argument});
    out.copies.push_back({call.result, first_ + (object + 1) % 5});
    out.activates.push_back(1 + object);
    return out;
  }
  const Locations &locations() const override { return locations_; }
  const Move &move(uint32_t index) const override { return moves_[index]; }
  uint32_t numNodes() const override { return nodes_; }
  NodeId newNode() override { return nodes_++; }
  NodeId contents(LocationId location) const override { return location; }
  NodeId readAnywhere(ObjectId object) const override { return locations_.count() + object; }

private:
  uint32_t pick(size_t below) { return rng_.below(static_cast<uint32_t>(below)); }
  NodeId value() { return first_ + pick(soles_ - first_); }
  NodeId any() { return first_ + pick(nodes_ - first_); }
  /// Of a constraint: a value, or a new node into which only this one puts something.
  struct Target {
    NodeId node;
    bool isSole;
  };
  Target target() { return pick(3) > 0 ? Target{value(), false} : Target{nodes_++, true}; }
  void fill(Constraints &group) {
    for (uint32_t n = pick(8); n > 0; n--) {
      const Target to = target();
      group.addresses.push_back({to.node, pick(locations_.count()), to.isSole});
    }
    for (uint32_t n = pick(25); n > 0; n--) {
      const Target to = target();
      group.copies.push_back({to.node, any(), to.isSole});
    }
    for (uint32_t n = pick(8); n > 0; n--) {
      const Target to = target();
      group.loads.push_back({to.node, any(), to.isSole});
    }
    for (uint32_t n = pick(8); n > 0; n--) group.stores.push_back({any(), any()});
    for (uint32_t n = pick(6); n > 0; n--) {
      const uint32_t by = pick(moves_.size() + 1);
      const Target to = target();
      group.geps.push_back({to.node, any(), by == moves_.size() ? kAnywhere : by, to.isSole});
    }
    for (uint32_t n = pick(3); n > 0; n--)
      group.calls.push_back({any(), kNone, {any(), any()}, value()});
    if (pick(6) == 0) group.activates.push_back(pick(groups_.size()));
  }

  Rng rng_;
  Layouts layouts_;
  Locations locations_;
  std::vector<bool> isFunction_;
  std::vector<Move> moves_;
  std::vector<Constraints> groups_;
  uint32_t nodes_ = 0, first_ = 0, soles_ = 0; ///< from soles_ on: of sole constraints
};

using Sets = std::map<NodeId, std::set<LocationId>>;

/// The definition, rule by rule.
class Definition {
public:
  explicit Definition(ConstraintSource &source) : source_(source) {}

  Sets solve() {
    for (const GroupId group : source_.entries()) activate(group);
    do {
      changed_ = false;
      const size_t groups = active_.size();
      for (size_t i = 0; i < groups; i++) apply(active_[i]);
    } while (changed_);
    return sets_;
  }

private:
  void activate(GroupId group) {
    if (!known_.insert(group).second) return;
    changed_ = true;
    active_.push_back(source_.make(group));
  }
  void include(NodeId to, const std::set<LocationId> &members) {
    for (const LocationId m : members) changed_ |= sets_[to].insert(m).second;
  }
  void copyInto(NodeId to, NodeId from) { include(to, std::set<LocationId>(sets_[from])); }

  /// By value: binding makes more.
  void apply(Constraints c) {
    const Locations &l = source_.locations();
    for (auto [node, location, isSole] : c.addresses) include(node, std::set<LocationId>{location});
    for (auto [to, from, isSole] : c.copies) copyInto(to, from);
    for (auto [to, from, by, isSole] : c.geps) {
      std::set<LocationId> moved;
      for (const LocationId m : sets_[from]) moved.insert(source_.moved(m, by));
      include(to, moved);
    }
    for (auto [to, from, isSole] : c.loads)
      for (const LocationId m : std::set<LocationId>(sets_[from])) {
        const ObjectId object = l.objectOf(m);
        if (!l.isAnywhere(m)) copyInto(to, source_.contents(m));
        if (!l.isAnywhere(m)) continue;
        const NodeId all = source_.readAnywhere(object);
        for (LocationId leaf = l.first(object); leaf <= m; leaf++)
          copyInto(all, source_.contents(leaf));
        copyInto(to, all);
      }
    for (auto [to, from] : c.stores)
      for (const LocationId m : std::set<LocationId>(sets_[to])) {
        copyInto(source_.contents(m), from);
        if (l.isAnywhere(m)) written_.insert(m);
      }
    for (const LocationId m : written_)
      for (LocationId leaf = l.first(l.objectOf(m)); leaf < m; leaf++)
        copyInto(source_.contents(leaf), source_.contents(m));
    for (const Constraints::Call &call : c.calls)
      for (const LocationId m : std::set<LocationId>(sets_[call.target])) {
        Constraints bound = source_.bind(call, m);
        for (auto [to, from, isSole] : bound.copies) copyInto(to, from);
        for (const GroupId group : bound.activates) activate(group);
      }
    for (const GroupId group : c.activates) activate(group);
  }

  ConstraintSource &source_;
  Sets sets_;
  std::set<GroupId> known_;
  std::set<LocationId> written_;
  std::vector<Constraints> active_;
  bool changed_ = false;
};

std::set<LocationId> plain(const SparseBits &bits) {
  std::set<LocationId> out;
  bits.forEach([&](LocationId l) { out.insert(l); });
  return out;
}

TEST(Solver, IsTheLeastSolution) {
  const std::atomic<bool> stop{false};
  uint64_t members = 0, merged = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    RandomSource source(seed);
    Sets expected = Definition(source).solve();
    const NodeId nodes = source.numNodes(); // from here on come the solver's own
    Solver solver(source);
    ASSERT_TRUE(solver.solve(stop));
    for (NodeId node = 0; node < nodes; node++) {
      ASSERT_EQ(plain(solver.pointsTo(node)), expected[node])
          << "seed " << seed << " node " << node;
      members += expected[node].size();
    }
    merged += solver.stats().merged;
  }
  // The systems are not empty, and have cycles.
  EXPECT_GT(members, 50000u);
  EXPECT_GT(merged, 1000u);
}

TEST(Solver, JoinedContentsLoseNothing) {
  const std::atomic<bool> stop{false};
  uint64_t joined = 0, more = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    RandomSource source(seed);
    Sets expected = Definition(source).solve();
    const NodeId nodes = source.numNodes();
    Solver solver(source, {.copiesPerNode = 0, .fewCopies = 10, .largeSet = 3});
    ASSERT_TRUE(solver.solve(stop));
    for (NodeId node = 0; node < nodes; node++) {
      const std::set<LocationId> found = plain(solver.pointsTo(node));
      ASSERT_TRUE(std::ranges::includes(found, expected[node]))
          << "seed " << seed << " node " << node;
      more += found.size() - expected[node].size();
    }
    joined += solver.stats().contentsJoined;
  }
  EXPECT_GT(joined, 1000u);
  EXPECT_GT(more, 0u);
}

TEST(Solver, EndsWhenItIsStopped) {
  const std::atomic<bool> stop{true};
  RandomSource source(3);
  EXPECT_FALSE(Solver(source).solve(stop));
}

/// One group, written down constraint by constraint.
class WrittenSource : public ConstraintSource {
public:
  WrittenSource() : locations_(layouts_) {
    word_ = layouts_.leaf(8);
    pair_ = layouts_.structure(16, {{0, word_}, {8, word_}});
  }
  LocationId addWord() { return add(word_); }
  LocationId addPair() { return add(pair_); } ///< its second half is the next location
  std::vector<GroupId> entries() override { return {0}; }
  Constraints make(GroupId) override { return constraints; }
  Constraints bind(const Constraints::Call &, LocationId) override { return {}; }
  const Locations &locations() const override { return locations_; }
  const Move &move(uint32_t) const override { return second_; }
  uint32_t numNodes() const override { return nodes_; }
  NodeId newNode() override { return nodes_++; }
  NodeId contents(LocationId location) const override { return contents_[location]; }
  NodeId readAnywhere(ObjectId object) const override { return readAnywhere_[object]; }

  Constraints constraints;

private:
  LocationId add(LayoutId layout) {
    const auto object = static_cast<ObjectId>(readAnywhere_.size());
    locations_.add(object, layout);
    while (contents_.size() < locations_.count()) contents_.push_back(newNode());
    readAnywhere_.push_back(newNode());
    return locations_.first(object);
  }

  Layouts layouts_;
  Locations locations_;
  LayoutId word_ = 0, pair_ = 0;
  Move second_{8, {}};
  std::vector<NodeId> contents_, readAnywhere_;
  NodeId nodes_ = 0;
};

uint64_t stepsFor(WrittenSource &source) {
  const std::atomic<bool> stop{false};
  Solver solver(source);
  EXPECT_TRUE(solver.solve(stop));
  return solver.stats().steps;
}

// Location by location, each load and each store would take a copy for each member.
TEST(Solver, LoadsAndStoresThroughOneNodeShareCopies) {
  WrittenSource source;
  Constraints &c = source.constraints;
  constexpr uint32_t kCount = 20'000;
  const NodeId pointer = source.newNode();
  NodeId value = kNone;
  for (uint32_t i = 0; i < kCount; i++) {
    c.addresses.push_back({pointer, source.addWord()});
    value = source.newNode();
    c.loads.push_back({value, pointer});
    c.stores.push_back({pointer, value});
  }
  c.addresses.push_back({value, 0});
  EXPECT_LT(stepsFor(source), 20u * kCount);
}

// In a list whose nodes are found one after the other, each node's second half joins a cycle
// through which many values are read. None of them asks again for what it has.
TEST(Solver, NodesThatJoinACycleHandOnOnlyWhatTheOthersLack) {
  WrittenSource source;
  Constraints &c = source.constraints;
  constexpr uint32_t kCount = 1'000;
  const NodeId all = source.newNode();
  for (uint32_t i = 0; i < kCount; i++) {
    c.addresses.push_back({all, source.addWord()});
    c.loads.push_back({source.newNode(), all});
  }
  LocationId node = source.addPair();
  NodeId pointer = source.newNode();
  c.addresses.push_back({pointer, node});
  for (uint32_t i = 0; i < kCount; i++) {
    const NodeId second = source.newNode(), next = source.newNode();
    c.geps.push_back({second, pointer, 0});
    c.loads.push_back({all, second});
    c.stores.push_back({second, all});
    c.loads.push_back({next, pointer});
    const LocationId following = source.addPair();
    c.addresses.push_back({source.contents(node), following});
    node = following;
    pointer = next;
  }
  EXPECT_LT(stepsFor(source), 100u * kCount);
}

// As it is in code that keeps its variables in memory: a pointer is read again for each use.
TEST(Solver, WhatIsReadAndMovedEquallyIsOneNode) {
  WrittenSource source;
  Constraints &c = source.constraints;
  constexpr uint32_t kCount = 3'000;
  const LocationId variable = source.addWord();
  const NodeId address = source.newNode();
  c.addresses.push_back({address, variable, /*isSole=*/true});
  for (uint32_t i = 0; i < kCount; i++) {
    c.addresses.push_back({source.contents(variable), source.addPair()});
    const NodeId pointer = source.newNode(), second = source.newNode(), read = source.newNode();
    c.loads.push_back({pointer, address, /*isSole=*/true});
    c.geps.push_back({second, pointer, 0, /*isSole=*/true});
    c.loads.push_back({read, second, /*isSole=*/true});
    c.stores.push_back({second, read});
  }
  EXPECT_LT(stepsFor(source), 30u * kCount);
}

} // namespace
} // namespace fathom::statics
