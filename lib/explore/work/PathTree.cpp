// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/PathTree.h"

#include <algorithm>

namespace fathom::explore {

void PathTree::add(const PathLog &log, PathPrefix notes) {
  std::vector<const ListNode<std::string> *> fresh; // newest first
  uint32_t at = 0;
  for (const ListNode<std::string> *n = log.sealed(); n; n = n->previous.get()) {
    if (auto it = numberOf_.find(n); it != numberOf_.end()) {
      at = it->second;
      break;
    }
    fresh.push_back(n);
  }
  for (size_t i = fresh.size(); i-- > 0;) {
    const auto number = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({fresh[i]->value, 0, nodes_[at].firstChild, 0});
    nodes_[at].firstChild = number;
    numberOf_.emplace(fresh[i], number);
    at = number;
  }
  paths_.push_back({log.open(), std::move(notes), nodes_[at].firstPath});
  nodes_[at].firstPath = static_cast<uint32_t>(paths_.size());
}

/// The order of adding depends on nothing but the run; neighbours that begin alike share more.
void PathTree::sortChildren() {
  std::vector<uint32_t> children;
  for (Node &node : nodes_) {
    children.clear();
    for (uint32_t c = node.firstChild; c; c = nodes_[c].sibling) children.push_back(c);
    std::sort(children.begin(), children.end(), [this](uint32_t a, uint32_t b) {
      const int order = nodes_[a].bytes.compare(nodes_[b].bytes);
      return order ? order < 0 : a < b;
    });
    uint32_t next = 0;
    for (size_t i = children.size(); i-- > 0; next = children[i])
      nodes_[children[i]].sibling = next;
    node.firstChild = next;
  }
}

} // namespace fathom::explore
