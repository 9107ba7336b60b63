// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over terms as the graphs they are: each shared subterm once, without recursion and without
// a set.
#ifndef FATHOM_EXPR_TERMVISITOR_H
#define FATHOM_EXPR_TERMVISITOR_H

#include "expr/Epochs.h"
#include "expr/Expr.h"

#include <vector>

namespace fathom::expr {

/// Marks terms as visited. The marks live in the nodes, so of two visitors only the younger may be
/// in use.
class TermVisitor {
public:
  TermVisitor() : epoch_(Epochs::take()) {}
  /// True the first time it is asked about this term.
  bool first(ExprPtr e) {
    if (e->visitEpoch_ == epoch_) return false;
    e->visitEpoch_ = epoch_;
    return true;
  }

private:
  uint32_t epoch_;
};

/// A number per term, in the terms themselves. They share their place with the values that
/// Evaluators keep: evaluating a term loses its note, and a note costs an Evaluator one
/// computation. Of two TermNotes only the younger may be in use.
class TermNotes {
public:
  TermNotes() : epoch_(Epochs::take()) {}
  bool has(ExprPtr e) const { return e->evalEpoch_ == epoch_; }
  uint64_t get(ExprPtr e) const { return e->evalValue_; } ///< has(e)
  void set(ExprPtr e, uint64_t note) {
    e->evalEpoch_ = epoch_;
    e->evalValue_ = note;
  }

private:
  uint32_t epoch_;
};

/// Calls `visit(term)` for every subterm of `root` not visited yet, a term before its operands.
/// Where it returns false, the operands are left out.
template <typename Visit> void visitPreOrder(ExprPtr root, TermVisitor &visitor, Visit visit) {
  if (!visitor.first(root)) return;
  std::vector<ExprPtr> stack{root};
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    if (!visit(e)) continue;
    for (unsigned i = 0; i < e->numOps(); ++i)
      if (visitor.first(e->op(i))) stack.push_back(e->op(i));
  }
}

/// Calls `visit(term)` for every subterm of `root` not visited yet, operands before the terms that
/// use them.
template <typename Visit> void visitPostOrder(ExprPtr root, TermVisitor &visitor, Visit visit) {
  if (!visitor.first(root)) return;
  struct Frame {
    ExprPtr term;
    unsigned next;
  };
  std::vector<Frame> stack{{root, 0}};
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.next < top.term->numOps()) {
      ExprPtr op = top.term->op(top.next++);
      if (visitor.first(op)) stack.push_back({op, 0});
      continue;
    }
    ExprPtr done = top.term;
    stack.pop_back();
    visit(done);
  }
}

} // namespace fathom::expr
#endif
