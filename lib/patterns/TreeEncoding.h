// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds terms for "the input leads to one of these leaves of an execution tree" and for the value
// at that leaf. The terms have the shape of the tree: a choice at each node that has some of the
// leaves on several sides. A condition that all leaves share occurs once, and a subtree whose
// leaves all belong to the group needs no condition.
//
// Source: [merging23] Def. 2.1 is the meaning. The shape departs: the paper's disjunction repeats
// what leaves share.
#ifndef FATHOM_PATTERNS_TREEENCODING_H
#define FATHOM_PATTERNS_TREEENCODING_H

#include "patterns/ExecutionTree.h"

namespace fathom::patterns {

class TreeEncoding {
public:
  /// The leaves have no nodes below them, and no two are one node. O(nodes).
  TreeEncoding(const ExecutionTree &tree, std::span<const NodeId> leaves,
               expr::UnsimplifiedTerms &unsimplified, expr::ExprContext &context);

  /// Holds for an input of the root iff its path leads to one of the leaves.
  expr::ExprPtr condition() const { return conditions_[ExecutionTree::kRoot]; }
  /// The same as it was built, which looks alike for trees of one shape; null: it is true.
  /// O(nodes).
  expr::UnsimplifiedPtr conditionAsBuilt() const;
  /// For such an input: values[i] if it is the i-th leaf. All of one width. O(nodes).
  expr::ExprPtr value(std::span<const expr::ExprPtr> values) const;

private:
  bool areOpposite(NodeId a, NodeId b) const;

  const ExecutionTree &tree_;
  expr::UnsimplifiedTerms &unsimplified_;
  expr::ExprContext &context_;
  std::vector<NodeId> leaves_;
  std::vector<expr::ExprPtr> terms_;      ///< of each node's condition
  std::vector<expr::ExprPtr> conditions_; ///< of each node: what holds below it; null: no leaf is
};

} // namespace fathom::patterns
#endif
