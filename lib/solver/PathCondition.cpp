// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Oracle.h"

#include <algorithm>
#include <cassert>

namespace fathom::solver {

using expr::Kind;

PathCondition::Node::~Node() {
  // Unlink by hand as long as we are the only owner: the default would recurse once per constraint.
  std::shared_ptr<const Node> node = std::move(previous);
  while (node && node.use_count() == 1) {
    std::shared_ptr<const Node> next = std::move(const_cast<Node &>(*node).previous);
    node = std::move(next);
  }
}

void PathCondition::add(ExprPtr constraint) {
  std::vector<ExprPtr> pending{constraint};
  while (!pending.empty()) {
    ExprPtr e = pending.back();
    pending.pop_back();
    assert(e->isBool() && "a constraint has width 1");
    if (e->isTrue()) continue;
    if (e->kind() == Kind::And) {
      pending.push_back(e->op(1));
      pending.push_back(e->op(0));
      continue;
    }
    if (last_ && last_->constraint == e) continue;
    uint64_t h = (hash() ^ e->hash()) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
    auto node = std::make_shared<Node>(e, std::move(last_), 0u, h);
    node->length = node->previous ? node->previous->length + 1 : 1;
    last_ = std::move(node);
  }
}

std::vector<ExprPtr> PathCondition::constraints() const {
  std::vector<ExprPtr> out(size());
  size_t at = out.size();
  for (const Node *n = last(); n; n = n->previous.get()) out[--at] = n->constraint;
  return out;
}

const char *text(UnknownReason reason) {
  switch (reason) {
  case UnknownReason::Other: return "";
  case UnknownReason::Timeout: return "timeout";
  case UnknownReason::MemoryLimit: return "memory limit";
  case UnknownReason::ResourceLimit: return "resource limit";
  case UnknownReason::Interrupted: return "interrupted";
  case UnknownReason::Budget: return "budget";
  }
  return "";
}

} // namespace fathom::solver
