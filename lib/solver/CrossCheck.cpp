// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/CrossCheck.h"

#include "expr/ExprContext.h"
#include "support/Check.h"

#include <cstdio>

namespace fathom::solver {

[[noreturn]] static void fail(const char *what, const Query &query) {
  std::fprintf(stderr, "cross-check of the solver chain: %s\n", what);
  for (ExprPtr e : query.path.constraints())
    std::fprintf(stderr, "(assert %s)\n", expr::toString(e).c_str());
  std::fprintf(stderr, "(assert %s) ; the goal\n", expr::toString(query.goal).c_str());
  endAfterInternalError();
}

Answer CrossCheck::check(const Query &query) {
  Answer answer = chain_->check(query);
  if (answer.kind == AnswerKind::Unknown) return answer;
  Answer reference = reference_->check(
      {.path = query.path, .goal = query.goal, .timeout = query.timeout, .needModel = false});
  if (answer.kind == AnswerKind::Sat && reference.kind == AnswerKind::Unsat)
    fail("sat, but Z3 alone says unsat", query);
  if (answer.kind == AnswerKind::Unsat && reference.kind == AnswerKind::Sat)
    fail("unsat, but Z3 alone says sat", query);
  if (answer.kind == AnswerKind::Sat && query.needModel) {
    evaluator_.setModel(answer.model, ++modelVersion_);
    if (!evaluator_.isTrue(query.goal)) fail("the model does not satisfy the goal", query);
    for (ExprPtr e : query.path.constraints())
      if (!evaluator_.isTrue(e)) fail("the model does not satisfy the path", query);
  }
  return answer;
}

void CrossCheck::visitRoots(const std::function<void(ExprPtr)> &visit) const {
  chain_->visitRoots(visit);
  reference_->visitRoots(visit);
}

void CrossCheck::dropCaches() {
  chain_->dropCaches();
  reference_->dropCaches();
}

} // namespace fathom::solver
