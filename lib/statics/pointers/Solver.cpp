// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver's waves (Solver.h): solve() has the loop, runWave() hands new members on,
// addCopiesFor() turns loads, stores and calls into copies. Merge.cpp unites nodes.
#include "statics/pointers/Solver.h"

#include <algorithm>
#include <utility>

namespace fathom::statics {

namespace {
enum : uint8_t { kRead = 1, kWritten = 2 };
}

// MAIN LOOP: waves until nothing changes.
bool Solver::solve(const std::atomic<bool> &stop) {
  stop_ = &stop;
  for (const GroupId group : source_.entries()) activate(group);
  do {
    if (isStopped()) return false;
    prepareWave(); // from here on the copies are known
    runWave();     // from here on sets include what is copied into them
    std::vector<std::pair<NodeId, SparseBits>> waiting = std::move(waiting_);
    waiting_.clear();
    for (auto &[node, members] : waiting) {
      if (isStopped()) return false;
      addCopiesFor(node, members);
    }
  } while (changed_);
  return !isStopped();
}

NodeId Solver::find(NodeId node) const {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void Solver::grow() {
  const uint32_t count = source_.numNodes();
  for (auto n = static_cast<NodeId>(parent_.size()); n < count; n++) parent_.push_back(n);
  pts_.resize(count);
  fresh_.resize(count);
  copies_.resize(count);
  only_.resize(count, kNone);
  complexAt_.resize(count, kNone);
}

NodeId Solver::newNode() {
  const NodeId node = source_.newNode();
  grow();
  return node;
}

void Solver::activate(GroupId group) {
  activating_.push_back(group);
  while (!activating_.empty()) {
    const GroupId next = activating_.back();
    activating_.pop_back();
    if (next >= active_.size()) active_.resize(next + 1);
    if (active_[next]) continue;
    active_[next] = true;
    apply(source_.make(next));
  }
}

Solver::Complex &Solver::complexOf(NodeId node) {
  if (complexAt_[node] == kNone) {
    complexAt_[node] = static_cast<uint32_t>(complex_.size());
    complex_.emplace_back();
  }
  return complex_[complexAt_[node]];
}

void Solver::apply(const Constraints &group) {
  grow();
  for (auto [node, location, isSole] : group.addresses) {
    addMember(find(node), location);
    if (isSole) setOnly(node, location);
  }
  for (auto [to, from, isSole] : group.copies)
    if (isSole)
      merge(from, to);
    else
      addCopy(to, from);
  for (const Constraints::Gep &gep : group.geps) addGep(gep);
  // What a node already points to is handled like what it will point to: with the next wave.
  std::vector<NodeId> again;
  for (const Constraints::Load &load : group.loads) addLoad(load, again);
  for (const Constraints::Store &store : group.stores) addStore(store, again);
  for (const Constraints::Call &call : group.calls) {
    const NodeId target = find(call.target);
    complexOf(target).calls.push_back(static_cast<uint32_t>(calls_.size()));
    calls_.push_back(call);
    called_.emplace_back();
    again.push_back(target);
  }
  for (NodeId &node : again) node = find(node);
  std::sort(again.begin(), again.end());
  again.erase(std::unique(again.begin(), again.end()), again.end());
  for (const NodeId node : again) {
    if (pts_[node].empty()) continue;
    waiting_.emplace_back(node, pts_[node]);
    changed_ = true;
  }
  for (const GroupId next : group.activates) activating_.push_back(next);
}

void Solver::addMember(NodeId node, LocationId location) {
  if (!pts_[node].insert(location)) return;
  fresh_[node].insert(location);
  changed_ = true;
}

/// What is read and written through such a node is known at once.
void Solver::setOnly(NodeId node, LocationId location) {
  if (location >= pointer_.size()) pointer_.resize(location + 1, kNone);
  if (pointer_[location] == kNone) {
    pointer_[location] = node;
    only_[find(node)] = location;
  } else {
    merge(pointer_[location], node);
  }
}

void Solver::addCopy(NodeId to, NodeId from) {
  steps_++;
  to = find(to);
  from = find(from);
  if (to == from) return;
  std::vector<NodeId> &copies = copies_[from];
  auto at = std::lower_bound(copies.begin(), copies.end(), to);
  if (at != copies.end() && *at == to) return;
  copies.insert(at, to);
  numCopies_++;
  addedCopies_++;
  if (pts_[to].unite(pts_[from], fresh_[to])) changed_ = true;
}

void Solver::addGep(const Constraints::Gep &gep) {
  const NodeId from = find(gep.from);
  if (only_[from] != kNone) {
    const LocationId to = source_.moved(only_[from], gep.by);
    addMember(find(gep.to), to);
    if (gep.isSole) setOnly(gep.to, to);
    return;
  }
  std::vector<Gep> &geps = complexOf(from).geps;
  if (gep.isSole)
    for (const Gep &known : geps)
      if (known.isSole && known.by == gep.by) return merge(known.to, gep.to);
  geps.push_back({gep.to, gep.by, gep.isSole});
  uniteMoved(gep.to, gep.by, pts_[from]);
}

void Solver::uniteMoved(NodeId to, uint32_t by, const SparseBits &members) {
  if (members.empty()) return;
  to = find(to);
  SparseBits moved;
  members.forEach([&](LocationId location) {
    steps_++;
    moved.insert(source_.moved(location, by));
  });
  if (pts_[to].unite(moved, fresh_[to])) changed_ = true;
}

void Solver::addLoad(const Constraints::Load &load, std::vector<NodeId> &again) {
  const NodeId from = find(load.from);
  NodeId held = kNone;
  if (only_[from] != kNone) {
    if (!source_.isReadable(only_[from])) return;
    held = readFrom(only_[from]);
  } else {
    held = complexOf(from).reads;
    if (held == kNone) {
      held = load.isSole ? load.to : newNode();
      complexOf(from).reads = held;
      again.push_back(from);
    }
  }
  if (load.isSole)
    merge(held, load.to);
  else
    addCopy(load.to, held);
}

void Solver::addStore(const Constraints::Store &store, std::vector<NodeId> &again) {
  const NodeId to = find(store.to);
  if (only_[to] != kNone) {
    if (source_.isWritable(only_[to])) addCopy(writeTo(only_[to]), store.from);
    return;
  }
  NodeId written = complexOf(to).writes;
  if (written == kNone) {
    written = newNode();
    complexOf(to).writes = written;
    again.push_back(to);
  }
  addCopy(written, store.from);
}

/// Members that are new to what hangs on the node. `served`: its loads and stores have them.
void Solver::handOn(NodeId node, SparseBits members, const Complex &served) {
  if (members.empty()) return;
  for (const NodeId copy : copies_[node]) {
    steps_++;
    const NodeId to = find(copy);
    if (pts_[to].unite(members, fresh_[to])) changed_ = true;
  }
  if (complexAt_[node] == kNone) return;
  const Complex &complex = complex_[complexAt_[node]];
  for (const Gep &gep : complex.geps) uniteMoved(gep.to, gep.by, members);
  if ((complex.reads != kNone && served.reads == kNone) ||
      (complex.writes != kNone && served.writes == kNone) || !complex.calls.empty())
    waiting_.emplace_back(node, std::move(members));
}

void Solver::prepareWave() {
  waves_++;
  changed_ = false;
  const bool many = addedCopies_ * 50 > numCopies_;
  if (!many && waves_ % 8 != 0) return;
  addedCopies_ = 0;
  collapseCycles();
  order();
}

void Solver::runWave() {
  auto visit = [&](NodeId node) {
    if (fresh_[node].empty()) return;
    SparseBits members = std::move(fresh_[node]);
    fresh_[node].clear();
    handOn(node, std::move(members), {});
  };
  const size_t known = order_.size();
  for (size_t i = 0; i < known && !isStopped(); i++)
    if (parent_[order_[i]] == order_[i]) visit(order_[i]);
  // Nodes that came after the order was made.
  for (NodeId node = 0; node < parent_.size() && !isStopped(); node++)
    if (parent_[node] == node && !fresh_[node].empty()) visit(node);
}

void Solver::addCopiesFor(NodeId node, const SparseBits &members) {
  node = find(node);
  if (complexAt_[node] == kNone) return;
  // Copies: calls add to them.
  const Complex &complex = complex_[complexAt_[node]];
  const NodeId reads = complex.reads, writes = complex.writes;
  const std::vector<uint32_t> calls = complex.calls;
  if (numCopies_ > std::max(limits_.fewCopies, limits_.copiesPerNode * parent_.size()) &&
      pts_[node].count() >= limits_.largeSet)
    joinContents(node, members);
  // Contents that were joined follow each other: one copy does for all of them.
  NodeId last = kNone;
  const auto isNew = [&](NodeId contents) { return std::exchange(last, find(contents)) != last; };
  if (reads != kNone)
    members.forEach([&](LocationId location) {
      if (isStopped() || !source_.isReadable(location)) return;
      if (const NodeId from = readFrom(location); isNew(from)) addCopy(reads, from);
    });
  last = kNone;
  if (writes != kNone)
    members.forEach([&](LocationId location) {
      if (isStopped() || !source_.isWritable(location)) return;
      if (const NodeId to = writeTo(location); isNew(to)) addCopy(to, writes);
    });
  for (const uint32_t call : calls)
    members.forEach([&](LocationId location) {
      steps_++;
      if (isStopped() || !called_[call].insert(location)) return;
      apply(source_.bind(calls_[call], location));
      while (!activating_.empty()) {
        const GroupId group = activating_.back();
        activating_.pop_back();
        std::vector<GroupId> rest = std::move(activating_);
        activating_.clear();
        activate(group);
        activating_ = std::move(rest);
      }
    });
}

/// What is read through such a set is next to everything, and what is written through it goes next
/// to everywhere: then one node for all of it is what makes the analysis end.
/// \param fresh  those whose contents may not be joined yet, if the node's others are.
void Solver::joinContents(NodeId node, const SparseBits &fresh) {
  joinedAt_.resize(parent_.size(), kNone);
  NodeId all = joinedAt_[node];
  std::vector<NodeId> joined;
  (all == kNone ? pts_[node] : fresh).forEach([&](LocationId location) {
    if (source_.isReadable(location)) joined.push_back(readFrom(location));
    if (source_.isWritable(location)) joined.push_back(writeTo(location));
  });
  for (const NodeId contents : joined) {
    if (isStopped()) return;
    if (only_[find(contents)] != kNone) continue; // it would not be all that the other points to
    if (all == kNone) all = contents;
    if (find(contents) == find(all)) continue;
    merge(all, contents);
    contentsJoined_++;
  }
  joinedAt_.resize(parent_.size(), kNone);
  joinedAt_[find(node)] = all;
}

NodeId Solver::readFrom(LocationId location) {
  const Locations &l = source_.locations();
  if (!l.isAnywhere(location)) return source_.contents(location);
  const ObjectId object = l.objectOf(location);
  const NodeId all = source_.readAnywhere(object);
  if (object >= anywhere_.size()) anywhere_.resize(object + 1);
  if (!(anywhere_[object] & kRead)) {
    anywhere_[object] |= kRead;
    for (LocationId leaf = l.first(object); leaf <= location; leaf++)
      addCopy(all, source_.contents(leaf));
  }
  return all;
}

NodeId Solver::writeTo(LocationId location) {
  const Locations &l = source_.locations();
  const NodeId contents = source_.contents(location);
  if (!l.isAnywhere(location)) return contents;
  const ObjectId object = l.objectOf(location);
  if (object >= anywhere_.size()) anywhere_.resize(object + 1);
  if (!(anywhere_[object] & kWritten)) {
    anywhere_[object] |= kWritten;
    for (LocationId leaf = l.first(object); leaf < location; leaf++)
      addCopy(source_.contents(leaf), contents);
  }
  return contents;
}

SolverStats Solver::stats() const {
  return {
      static_cast<uint32_t>(parent_.size()), merged_, waves_, contentsJoined_, numCopies_, steps_};
}

} // namespace fathom::statics
