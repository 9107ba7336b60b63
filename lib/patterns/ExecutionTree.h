// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of a loop as a tree: a node for each side that a condition took, from where a state
// came in (the root) to the states that came out (leaves). The conditions are unsimplified terms
// (expr/UnsimplifiedTerm.h), so that those of one round look like those of the next.
//
// Source: [merging23] Sec. 2, execution trees; Sec. 3.1, hashes of paths.
#ifndef FATHOM_PATTERNS_EXECUTIONTREE_H
#define FATHOM_PATTERNS_EXECUTIONTREE_H

#include "expr/UnsimplifiedTerm.h"

#include <cstdint>
#include <span>
#include <vector>

namespace fathom::patterns {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = ~0u;

/// The path to a node as a word: the shapes (hashes, expr::UnsimplifiedTerms::shape) of the
/// conditions on it, without the root's.
using PathWord = std::vector<uint64_t>;

class ExecutionTree {
public:
  struct Node {
    NodeId parent = kNoNode;
    expr::UnsimplifiedPtr condition = nullptr; ///< null: the root's, which is true
    uint64_t shape = 0;
    uint32_t depth = 0; ///< of the root: 0
    std::vector<NodeId> children;
  };
  /// counters: loop counters that earlier merges introduced; terms over them count as numbers.
  explicit ExecutionTree(expr::Counters counters = {}) : counters_(std::move(counters)) {
    nodes_.emplace_back();
  }

  static constexpr NodeId kRoot = 0;
  const Node &node(NodeId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }
  const expr::Counters &counters() const { return counters_; }

  /// The node below `parent` with this condition: the one that there is, or a new one. O(children).
  NodeId add(NodeId parent, expr::UnsimplifiedPtr condition);
  /// Siblings have different shapes, so a word leads to one node at most ([merging23] Def. 3.1).
  bool hasDistinctSiblings() const { return hasDistinctSiblings_; }

  PathWord word(NodeId node) const;
  /// Where the word leads from here; kNoNode: nowhere.
  NodeId follow(NodeId from, std::span<const uint64_t> word) const;
  /// The conditions below `above` on the way to `node`. REQUIRES: node is below it.
  std::vector<expr::UnsimplifiedPtr> conditions(NodeId above, NodeId node) const;

private:
  expr::Counters counters_;
  std::vector<Node> nodes_;
  bool hasDistinctSiblings_ = true;
};

} // namespace fathom::patterns
#endif
