// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/TreeEncoding.h"

#include <cassert>

namespace fathom::merge {

using expr::ExprPtr;

TreeEncoding::TreeEncoding(const ExecutionTree &tree, std::span<const NodeId> leaves,
                           const expr::Literals &literals, expr::ExprContext &context)
    : tree_(tree), context_(context), leaves_(leaves.begin(), leaves.end()),
      terms_(tree.size(), nullptr), conditions_(tree.size(), nullptr) {
  for (NodeId leaf : leaves_) conditions_[leaf] = context_.trueExpr();
  // Nodes come after those that they are below.
  for (auto id = static_cast<NodeId>(tree.size()); id-- > 0;) {
    const auto &node = tree.node(id);
    if (node.condition) terms_[id] = literals.instantiate(node.condition);
    std::vector<NodeId> in;
    for (NodeId child : node.children)
      if (conditions_[child]) in.push_back(child);
    if (in.empty()) continue;
    assert(!conditions_[id] && "a leaf with nodes below it");
    if (in.size() == 2 && areOpposite(in[0], in[1])) {
      conditions_[id] = context_.ite(terms_[in[0]], conditions_[in[0]], conditions_[in[1]]);
      continue;
    }
    ExprPtr any = context_.falseExpr();
    for (NodeId child : in)
      any = context_.bvOr(any, context_.bvAnd(terms_[child], conditions_[child]));
    conditions_[id] = any;
  }
}

bool TreeEncoding::areOpposite(NodeId a, NodeId b) const {
  return terms_[b] == context_.bvNot(terms_[a]);
}

ExprPtr TreeEncoding::value(std::span<const ExprPtr> values) const {
  assert(values.size() == leaves_.size() && "one for each leaf");
  std::vector<ExprPtr> all(tree_.size(), nullptr);
  for (size_t i = 0; i < leaves_.size(); i++) all[leaves_[i]] = values[i];
  for (auto id = static_cast<NodeId>(tree_.size()); id-- > 0;) {
    std::vector<NodeId> in;
    for (NodeId child : tree_.node(id).children)
      if (all[child]) in.push_back(child);
    if (in.empty()) continue;
    ExprPtr chosen = all[in.back()];
    const bool areApart = in.size() == 2 && areOpposite(in[0], in[1]);
    for (size_t i = in.size() - 1; i-- > 0;) {
      // Conditions of siblings may overlap, where what is below them does not.
      ExprPtr isHere = terms_[in[i]];
      if (!areApart) isHere = context_.bvAnd(isHere, conditions_[in[i]]);
      chosen = context_.ite(isHere, all[in[i]], chosen);
    }
    all[id] = chosen;
  }
  return all[ExecutionTree::kRoot];
}

} // namespace fathom::merge
