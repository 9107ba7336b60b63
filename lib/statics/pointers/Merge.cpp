// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes with equal sets in the least solution become one: those of a cycle of copies, and those
// that equations make equal. What hangs on two such nodes is equal, too: what is read through them,
// and what one move makes of them. What is written through them comes to the same places, so that
// one hub can stand for both.
#include "statics/pointers/Solver.h"

#include "support/Components.h"

#include <algorithm>
#include <iterator>

namespace fathom::statics {

void Solver::merge(NodeId a, NodeId b) {
  merging_.emplace_back(a, b);
  while (!merging_.empty()) {
    auto [into, node] = merging_.back();
    merging_.pop_back();
    mergeNow(find(into), find(node));
  }
}

/// How much hangs on a node.
size_t Solver::numUsers(NodeId node) const {
  return copies_[node].size() +
         (complexAt_[node] == kNone ? 0 : 1 + complex_[complexAt_[node]].geps.size());
}

void Solver::mergeNow(NodeId into, NodeId node) {
  if (into == node) return;
  if (numUsers(into) < numUsers(node)) std::swap(into, node);
  merged_++;
  parent_[node] = into;
  if (into < joinedAt_.size())
    joinedAt_[into] = kNone; // members of the other one are not among them
  if (only_[into] == kNone) only_[into] = only_[node];
  mergeSets(into, node);
  if (numUsers(node) == 0) return;
  std::vector<NodeId> &copies = copies_[into], more = std::move(copies_[node]);
  copies_[node].clear();
  if (isCollapsing_) { // which puts them in order once, for all
    copies.insert(copies.end(), more.begin(), more.end());
  } else if (more.size() * 16 < copies.size()) {
    for (const NodeId to : more)
      if (auto at = std::lower_bound(copies.begin(), copies.end(), to);
          at == copies.end() || *at != to)
        copies.insert(at, to);
  } else {
    std::vector<NodeId> all;
    std::set_union(copies.begin(), copies.end(), more.begin(), more.end(), std::back_inserter(all));
    copies = std::move(all);
  }
  mergeComplex(into, node);
}

/// What hangs on `into` gets what it lacks with the next wave, together with what comes from other
/// merges; what hangs on `node`, which is less, gets it now.
void Solver::mergeSets(NodeId into, NodeId node) {
  if (numUsers(node) == 0) {
    if (pts_[into].unite(pts_[node], fresh_[into])) changed_ = true;
    pts_[node].clear();
    fresh_[node].clear();
    return;
  }
  SparseBits handed = pts_[into], handedToo = pts_[node];
  handed.subtract(fresh_[into]);
  handedToo.subtract(fresh_[node]);
  pts_[into].unite(pts_[node]);
  fresh_[into] = pts_[into];
  fresh_[into].subtract(handed);
  if (!fresh_[into].empty()) changed_ = true;
  pts_[node].clear();
  fresh_[node].clear();
  Complex hubs;
  if (complexAt_[into] != kNone) {
    hubs.reads = complex_[complexAt_[into]].reads;
    hubs.writes = complex_[complexAt_[into]].writes;
  }
  handed.subtract(handedToo);
  // Hubs of both become one, to which that of `into` has brought this.
  handOn(node, std::move(handed), hubs);
  if (!waiting_.empty()) changed_ = true;
}

void Solver::mergeComplex(NodeId into, NodeId node) {
  const uint32_t from = complexAt_[node];
  if (from == kNone) return;
  complexAt_[node] = kNone;
  if (complexAt_[into] == kNone) {
    complexAt_[into] = from;
    return;
  }
  const Complex moved = std::move(complex_[from]);
  complex_[from] = {};
  Complex &to = complex_[complexAt_[into]];
  auto join = [&](NodeId &hub, NodeId other) {
    if (hub == kNone)
      hub = other;
    else if (other != kNone)
      merging_.emplace_back(hub, other);
  };
  join(to.reads, moved.reads);
  join(to.writes, moved.writes);
  for (const Gep &gep : moved.geps) {
    auto known = std::find_if(to.geps.begin(), to.geps.end(), [&](const Gep &k) {
      return k.by == gep.by && ((k.isSole && gep.isSole) || find(k.to) == find(gep.to));
    });
    if (known == to.geps.end())
      to.geps.push_back(gep);
    else
      merging_.emplace_back(known->to, gep.to);
  }
  to.calls.insert(to.calls.end(), moved.calls.begin(), moved.calls.end());
}

void Solver::collapseCycles() {
  const auto count = static_cast<NodeId>(parent_.size());
  std::vector<std::pair<NodeId, NodeId>> merges;
  forEachComponent(
      count,
      [&](NodeId node, size_t i) {
        return i < copies_[node].size() ? std::optional(find(copies_[node][i])) : std::nullopt;
      },
      [&](std::span<const NodeId> component) {
        for (size_t i = component.size(); i-- > 1;) merges.emplace_back(component[0], component[i]);
      });
  isCollapsing_ = true;
  for (auto [into, node] : merges) {
    if (isStopped()) break;
    merge(into, node);
  }
  isCollapsing_ = false;
  if (merged_ == cleaned_) return;
  cleaned_ = merged_;
  for (NodeId node = 0; node < count; node++) {
    std::vector<NodeId> &copies = copies_[node];
    for (NodeId &to : copies) to = find(to);
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
    auto self = std::lower_bound(copies.begin(), copies.end(), node);
    if (self != copies.end() && *self == node) copies.erase(self);
  }
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
        open(find(complex_[complexAt_[node]].geps[next - copies].to));
      } else {
        order_.push_back(node);
        frames.pop_back();
      }
    }
  }
  std::reverse(order_.begin(), order_.end());
}

} // namespace fathom::statics
