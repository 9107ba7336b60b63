// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Decisions.h"

#include "explore/policy/Policy.h"

namespace fathom::explore {

void Decisions::tell(State &s, uint64_t which, ExprPtr condition, bool isImplied) {
  const uint32_t function = s.top->function;
  s.decisions.push({.function = function,
                    .inst = static_cast<uint32_t>(s.ip - machine_.code.codeOf(function)),
                    .way = which,
                    .condition = condition,
                    .isImplied = isImplied});
  for (Policy *policy : watchers_) policy->decided(engine_, s, s.decisions.last->value);
}

} // namespace fathom::explore
