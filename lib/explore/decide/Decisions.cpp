// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Decisions.h"

#include "explore/policy/Policy.h"

namespace fathom::explore {

void Decisions::watch(Policy &policy) {
  watchers_.push_back(&policy);
  if (literals_ || !policy.keepsLiterals()) return;
  literals_ = std::make_unique<expr::UnsimplifiedTerms>(ctx_);
  interpreter_.literals = literals_.get();
}

expr::UnsimplifiedPtr Decisions::ofSide(ExprPtr condition, bool side) {
  if (!literals_) return nullptr;
  expr::UnsimplifiedPtr l = literals_->of(condition);
  return side ? l : literals_->negation(l);
}

void Decisions::tell(State &s, uint64_t which, ExprPtr condition, bool isImplied,
                     expr::UnsimplifiedPtr asBuilt) {
  if (literals_ && condition && !asBuilt) asBuilt = literals_->of(condition);
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
