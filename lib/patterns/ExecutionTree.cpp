// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/ExecutionTree.h"

#include <algorithm>

namespace fathom::patterns {

NodeId ExecutionTree::add(NodeId parent, expr::UnsimplifiedPtr condition) {
  const uint64_t shape = expr::UnsimplifiedTerms::shape(condition, counters_);
  for (NodeId child : nodes_[parent].children) {
    if (nodes_[child].condition == condition) return child;
    hasDistinctSiblings_ &= nodes_[child].shape != shape;
  }
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({parent, condition, shape, nodes_[parent].depth + 1, {}});
  nodes_[parent].children.push_back(id);
  return id;
}

PathWord ExecutionTree::word(NodeId node) const {
  PathWord word(nodes_[node].depth);
  for (; node != kRoot; node = nodes_[node].parent)
    word[nodes_[node].depth - 1] = nodes_[node].shape;
  return word;
}

NodeId ExecutionTree::follow(NodeId from, std::span<const uint64_t> word) const {
  for (uint64_t shape : word) {
    const auto &children = nodes_[from].children;
    auto it = std::ranges::find(children, shape, [this](NodeId id) { return nodes_[id].shape; });
    if (it == children.end()) return kNoNode;
    from = *it;
  }
  return from;
}

std::vector<expr::UnsimplifiedPtr> ExecutionTree::conditions(NodeId above, NodeId node) const {
  std::vector<expr::UnsimplifiedPtr> conditions;
  for (; node != above; node = nodes_[node].parent) conditions.push_back(nodes_[node].condition);
  std::ranges::reverse(conditions);
  return conditions;
}

} // namespace fathom::patterns
