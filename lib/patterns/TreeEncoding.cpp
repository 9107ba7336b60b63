// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/TreeEncoding.h"

#include <cassert>

namespace fathom::patterns {

using expr::ExprPtr;

TreeEncoding::TreeEncoding(const ExecutionTree &tree, std::span<const NodeId> leaves,
                           expr::UnsimplifiedTerms &unsimplified, expr::ExprContext &context)
    : tree_(tree), unsimplified_(unsimplified), context_(context),
      leaves_(leaves.begin(), leaves.end()), terms_(tree.size(), nullptr),
      conditions_(tree.size(), nullptr) {
  for (NodeId leaf : leaves_) conditions_[leaf] = context_.trueExpr();
  // Nodes come after those that they are below.
  for (auto id = static_cast<NodeId>(tree.size()); id-- > 0;) {
    const auto &node = tree.node(id);
    if (node.condition) terms_[id] = unsimplified.instantiate(node.condition);
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

expr::UnsimplifiedPtr TreeEncoding::conditionAsBuilt() const {
  using expr::UnsimplifiedPtr;
  auto both = [&](expr::Kind kind, UnsimplifiedPtr a, UnsimplifiedPtr b) {
    return a && b                    ? unsimplified_.both(kind, a, b)
           : kind == expr::Kind::And ? (a ? a : b)
                                     : nullptr;
  };
  std::vector<UnsimplifiedPtr> all(tree_.size(), nullptr); // null: true
  for (auto id = static_cast<NodeId>(tree_.size()); id-- > 0;) {
    std::vector<NodeId> in;
    for (NodeId child : tree_.node(id).children)
      if (conditions_[child]) in.push_back(child);
    if (in.empty()) continue;
    auto conditionOf = [&](NodeId child) { return tree_.node(child).condition; };
    if (in.size() == 2 && areOpposite(in[0], in[1])) {
      const UnsimplifiedPtr a = all[in[0]], b = all[in[1]];
      if (!a && !b) continue;
      // (c and a) or (not c and b). If a is true: c or b; if b is true: (c and a) or not c.
      all[id] = both(
          expr::Kind::Or, both(expr::Kind::And, conditionOf(in[0]), a),
          both(expr::Kind::And, b ? (a ? conditionOf(in[1]) : nullptr) : conditionOf(in[1]), b));
      continue;
    }
    UnsimplifiedPtr any = both(expr::Kind::And, conditionOf(in[0]), all[in[0]]);
    for (size_t i = 1; i < in.size(); i++)
      any = both(expr::Kind::Or, any, both(expr::Kind::And, conditionOf(in[i]), all[in[i]]));
    all[id] = any;
  }
  return all[ExecutionTree::kRoot];
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
      ExprPtr choice = context_.ite(isHere, all[in[i]], chosen);
      unsimplified_.built(choice, expr::Kind::Ite, {isHere, all[in[i]], chosen});
      chosen = choice;
    }
    all[id] = chosen;
  }
  return all[ExecutionTree::kRoot];
}

} // namespace fathom::patterns
