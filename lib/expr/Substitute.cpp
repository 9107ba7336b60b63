// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/ExprContext.h"
#include "expr/FloatFold.h"
#include "expr/NodeTable.h"
#include "expr/TermVisitor.h"

namespace fathom::expr {

ExprPtr ExprContext::rebuild(ExprPtr e, std::span<const ExprPtr> ops) {
  assert(ops.size() >= e->numOps() && "too few operands");
  switch (e->kind()) {
  case Kind::Const:
  case Kind::Bound:
  case Kind::SymbolArray:
  case Kind::ConstArray: return e;
  case Kind::Forall: return forall(e->range(), ops[0], ops[1]);
  case Kind::Read: return read(ops[0], ops[1]);
  case Kind::Store: return store(ops[0], ops[1], ops[2]);
  case Kind::Concat: return concat(ops[0], ops[1]);
  case Kind::Extract: return extract(ops[0], e->offset(), e->width());
  case Kind::ZExt: return zext(ops[0], e->width());
  case Kind::SExt: return sext(ops[0], e->width());
  case Kind::Not: return bvNot(ops[0]);
  case Kind::Ite: return ite(ops[0], ops[1], ops[2]);
  case Kind::Apply: return nodes().internApply(e->array(), ops[0]);
  default:
    if (isFloatKind(e->kind()))
      return floatTerm(FloatOperation::of(e), ops[0], e->numOps() > 1 ? ops[1] : nullptr,
                       e->numOps() > 2 ? ops[2] : nullptr);
    return binary(e->kind(), ops[0], ops[1]);
  }
}

ExprPtr ExprContext::substitute(ExprPtr root,
                                std::span<const std::pair<ExprPtr, ExprPtr>> replacements) {
  TermImages images;
  for (auto [from, to] : replacements) {
    assert(from->width() == to->width() && "replacement differs in width");
    images[from] = to;
  }
  return substitute(root, images);
}

ExprPtr ExprContext::substitute(ExprPtr root, TermImages &images, bool onlyOpen) {
  std::vector<ExprPtr> stack{root};
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    if (images.contains(e)) {
      stack.pop_back();
      continue;
    }
    if (onlyOpen && !e->has(kIsOpen)) {
      images[e] = e;
      stack.pop_back();
      continue;
    }
    ExprPtr ops[3] = {};
    bool complete = true, changed = false;
    for (unsigned i = 0; i < e->numOps(); ++i) {
      auto it = images.find(e->op(i));
      if (it == images.end()) {
        stack.push_back(e->op(i));
        complete = false;
      } else {
        ops[i] = it->second;
        changed |= ops[i] != e->op(i);
      }
    }
    if (!complete) continue;
    stack.pop_back();
    images[e] = changed ? rebuild(e, ops) : e;
  }
  return images[root];
}

} // namespace fathom::expr
