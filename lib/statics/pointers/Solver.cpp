// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/Solver.h"

#include <algorithm>

namespace fathom::statics {

namespace {
enum : uint8_t { kRead = 1, kWritten = 2 };
}

// MAIN LOOP: waves until nothing changes.
bool Solver::solve(const std::atomic<bool> &stop) {
  for (const GroupId group : source_.entries()) activate(group);
  do {
    if (stop) return false;
    prepareWave(); // from here on the copies are known
    runWave(stop); // from here on sets include what is copied into them
    std::vector<std::pair<NodeId, SparseBits>> waiting = std::move(waiting_);
    waiting_.clear();
    for (auto &[node, members] : waiting) {
      if (stop) return false;
      addCopiesFor(node, members);
    }
  } while (changed_);
  return true;
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
  complexAt_.resize(count, kNone);
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
  for (auto [node, location] : group.addresses) addMember(find(node), location);
  for (auto [to, from] : group.copies) addCopy(to, from);
  // What a node already points to is handled like what it will point to: with the next wave.
  auto again = [&](NodeId node) {
    if (pts_[node].empty()) return;
    waiting_.emplace_back(node, pts_[node]);
    changed_ = true;
  };
  for (auto [to, from] : group.loads) {
    complexOf(find(from)).loads.push_back(to);
    again(find(from));
  }
  for (auto [to, from] : group.stores) {
    complexOf(find(to)).stores.push_back(from);
    again(find(to));
  }
  for (auto [to, from, by] : group.geps) {
    const NodeId node = find(from);
    complexOf(node).geps.emplace_back(to, by);
    addGep(node, to, by, pts_[node]);
  }
  for (const Constraints::Call &call : group.calls) {
    const NodeId target = find(call.target);
    complexOf(target).calls.push_back(static_cast<uint32_t>(calls_.size()));
    calls_.push_back(call);
    called_.emplace_back();
    again(target);
  }
  for (const GroupId next : group.activates) activating_.push_back(next);
}

void Solver::addMember(NodeId node, LocationId location) {
  if (!pts_[node].insert(location)) return;
  fresh_[node].insert(location);
  changed_ = true;
}

void Solver::addCopy(NodeId to, NodeId from) {
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

void Solver::addGep(NodeId from, NodeId to, uint32_t by, const SparseBits &members) {
  if (members.empty()) return;
  to = find(to);
  SparseBits moved;
  members.forEach([&](LocationId location) { moved.insert(source_.moved(location, by)); });
  if (pts_[to].unite(moved, fresh_[to])) changed_ = true;
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

/// Tarjan's algorithm on copies, without recursion.
void Solver::collapseCycles() {
  const auto count = static_cast<NodeId>(parent_.size());
  std::vector<uint32_t> number(count, 0), low(count, 0);
  std::vector<NodeId> stack;
  std::vector<bool> onStack(count);
  struct Frame {
    NodeId node;
    size_t next;
  };
  std::vector<Frame> frames;
  std::vector<std::pair<NodeId, NodeId>> merges;
  uint32_t counter = 0;
  auto open = [&](NodeId node) {
    number[node] = low[node] = ++counter;
    stack.push_back(node);
    onStack[node] = true;
    frames.push_back({node, 0});
  };
  for (NodeId root = 0; root < count; root++) {
    if (parent_[root] != root || number[root] || copies_[root].empty()) continue;
    open(root);
    while (!frames.empty()) {
      Frame &frame = frames.back();
      const NodeId node = frame.node;
      if (frame.next < copies_[node].size()) {
        const NodeId to = find(copies_[node][frame.next++]);
        if (!number[to])
          open(to);
        else if (onStack[to])
          low[node] = std::min(low[node], number[to]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != number[node]) continue;
      for (;;) {
        const NodeId member = stack.back();
        stack.pop_back();
        onStack[member] = false;
        if (member == node) break;
        merges.emplace_back(node, member);
      }
    }
  }
  for (auto [into, node] : merges) merge(into, node);
  if (merges.empty()) return;
  for (NodeId node = 0; node < count; node++) {
    std::vector<NodeId> &copies = copies_[node];
    for (NodeId &to : copies) to = find(to);
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
    auto self = std::lower_bound(copies.begin(), copies.end(), node);
    if (self != copies.end() && *self == node) copies.erase(self);
  }
}

void Solver::merge(NodeId into, NodeId node) {
  merged_++;
  parent_[node] = into;
  // What both have handed on needs no second time.
  SparseBits handed = pts_[into], other = pts_[node];
  handed.subtract(fresh_[into]);
  other.subtract(fresh_[node]);
  handed.intersect(other);
  pts_[into].unite(pts_[node]);
  fresh_[into] = pts_[into];
  fresh_[into].subtract(handed);
  if (!fresh_[into].empty()) changed_ = true;
  pts_[node].clear();
  fresh_[node].clear();
  copies_[into].insert(copies_[into].end(), copies_[node].begin(), copies_[node].end());
  std::vector<NodeId>().swap(copies_[node]);
  if (complexAt_[node] == kNone) return;
  Complex moved = std::move(complex_[complexAt_[node]]);
  complex_[complexAt_[node]] = {};
  complexAt_[node] = kNone;
  Complex &to = complexOf(into);
  to.loads.insert(to.loads.end(), moved.loads.begin(), moved.loads.end());
  to.stores.insert(to.stores.end(), moved.stores.begin(), moved.stores.end());
  to.geps.insert(to.geps.end(), moved.geps.begin(), moved.geps.end());
  to.calls.insert(to.calls.end(), moved.calls.begin(), moved.calls.end());
}

/// Reverse postorder over copies and moves.
void Solver::order() {
  const auto count = static_cast<NodeId>(parent_.size());
  std::vector<bool> seen(count);
  struct Frame {
    NodeId node;
    size_t next;
  };
  std::vector<Frame> frames;
  order_.clear();
  auto open = [&](NodeId node) {
    if (seen[node]) return;
    seen[node] = true;
    frames.push_back({node, 0});
  };
  for (NodeId root = 0; root < count; root++) {
    if (parent_[root] != root) continue;
    open(root);
    while (!frames.empty()) {
      Frame &frame = frames.back();
      const NodeId node = frame.node;
      const size_t next = frame.next++, copies = copies_[node].size();
      if (next < copies) {
        open(find(copies_[node][next]));
      } else if (complexAt_[node] != kNone &&
                 next - copies < complex_[complexAt_[node]].geps.size()) {
        open(find(complex_[complexAt_[node]].geps[next - copies].first));
      } else {
        order_.push_back(node);
        frames.pop_back();
      }
    }
  }
  std::reverse(order_.begin(), order_.end());
}

void Solver::runWave(const std::atomic<bool> &stop) {
  auto visit = [&](NodeId node) {
    if (fresh_[node].empty()) return;
    SparseBits members = std::move(fresh_[node]);
    fresh_[node].clear();
    for (const NodeId copy : copies_[node]) {
      const NodeId to = find(copy);
      if (to != node && pts_[to].unite(members, fresh_[to])) changed_ = true;
    }
    if (complexAt_[node] == kNone) return;
    const Complex &complex = complex_[complexAt_[node]];
    for (auto [to, by] : complex.geps) addGep(node, to, by, members);
    if (!complex.isEmpty()) waiting_.emplace_back(node, std::move(members));
  };
  const size_t known = order_.size();
  for (size_t i = 0; i < known && !stop; i++)
    if (parent_[order_[i]] == order_[i]) visit(order_[i]);
  // Nodes that came after the order was made.
  for (NodeId node = 0; node < parent_.size() && !stop; node++)
    if (parent_[node] == node && !fresh_[node].empty()) visit(node);
}

void Solver::addCopiesFor(NodeId node, const SparseBits &members) {
  node = find(node);
  if (complexAt_[node] == kNone) return;
  // Copies of the lists: calls add to them.
  const uint32_t at = complexAt_[node];
  const std::vector<NodeId> loads = complex_[at].loads, stores = complex_[at].stores;
  const std::vector<uint32_t> calls = complex_[at].calls;
  if (!loads.empty() || !stores.empty())
    members.forEach([&](LocationId location) {
      if (!loads.empty() && source_.isReadable(location)) {
        const NodeId from = readFrom(location);
        for (const NodeId to : loads) addCopy(to, from);
      }
      if (!stores.empty() && source_.isWritable(location)) {
        const NodeId to = writeTo(location);
        for (const NodeId from : stores) addCopy(to, from);
      }
    });
  for (const uint32_t call : calls)
    members.forEach([&](LocationId location) {
      if (!called_[call].insert(location)) return;
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
  return {static_cast<uint32_t>(parent_.size()), merged_, waves_, numCopies_};
}

} // namespace fathom::statics
