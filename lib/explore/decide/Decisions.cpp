// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Decisions.h"

#include "explore/policy/Policy.h"

namespace fathom::explore {

void Decisions::watch(Policy &policy) {
  watchers_.push_back(&policy);
  if (unsimplified_ || !policy.keepsUnsimplifiedTerms()) return;
  unsimplified_ = std::make_unique<expr::UnsimplifiedTerms>(ctx_);
  interpreter_.unsimplified = unsimplified_.get();
}

expr::UnsimplifiedPtr Decisions::ofSide(ExprPtr condition, bool side) {
  if (!unsimplified_) return nullptr;
  expr::UnsimplifiedPtr l = unsimplified_->of(condition);
  return side ? l : unsimplified_->negation(l);
}

void Decisions::tell(State &s, uint64_t which, ExprPtr condition, bool isImplied,
                     expr::UnsimplifiedPtr asBuilt) {
  if (unsimplified_ && condition && !asBuilt) asBuilt = unsimplified_->of(condition);
  const uint32_t function = s.top->function;
  s.decisions.push({.function = function,
                    .inst = static_cast<uint32_t>(s.ip - interpreter_.code.codeOf(function)),
                    .way = which,
                    .condition = condition,
                    .asBuilt = asBuilt,
                    .isImplied = isImplied});
  for (Policy *policy : watchers_) policy->decided(engine_, s, s.decisions.last->value);
}

} // namespace fathom::explore
