// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergeCheck.h"

#include "solver/Chain.h"

#include <fmt/format.h>

namespace fathom::explore {

MergeCheck::MergeCheck(expr::ExprContext &context, std::chrono::milliseconds timeout)
    : context_(context), timeout_(timeout), reference_(solver::makeReference(context, {})) {}

MergeCheck::~MergeCheck() = default;

void MergeCheck::ask(const Merged &merged, std::initializer_list<ExprPtr> conditions,
                     const std::string &what, Result &result) {
  ExprPtr goal = context_.trueExpr();
  for (ExprPtr e : conditions) goal = context_.bvAnd(goal, e);
  if (goal->isFalse()) return;
  const solver::Answer answer = reference_->check(
      {.path = merged.root, .goal = goal, .timeout = timeout_, .needModel = false});
  if (answer.kind == solver::AnswerKind::Sat && result.wrong.empty()) result.wrong = what;
  result.open += answer.kind == solver::AnswerKind::Unknown;
}

MergeCheck::Result MergeCheck::check(const Merged &merged) {
  Result result;
  ExprPtr any = context_.falseExpr(), isNoCount = context_.trueExpr();
  for (size_t j = 0; j < merged.members.size(); j++) {
    const auto &[condition, count] = merged.members[j];
    std::vector<std::pair<ExprPtr, ExprPtr>> bytes; // of the counter
    ExprPtr isOther = context_.falseExpr();
    for (uint64_t i = 0; merged.counter && i < merged.counter->array().sizeBytes; i++) {
      ExprPtr byte = context_.read(merged.counter, i),
              value = context_.constant(count >> 8 * i & 255, 8);
      bytes.emplace_back(byte, value);
      isOther = context_.bvOr(isOther, context_.ne(byte, value));
    }
    isNoCount = context_.bvAnd(isNoCount, isOther);
    auto here = [&](ExprPtr e) { return bytes.empty() ? e : context_.substitute(e, bytes); };
    ExprPtr whole = here(merged.condition);
    ask(merged, {condition, context_.bvNot(whole)}, fmt::format("member {} is left out", j),
        result);
    ExprPtr differs = context_.falseExpr();
    for (const auto &value : merged.values)
      differs = context_.bvOr(differs, context_.ne(here(value.merged), value.each[j]));
    ask(merged, {condition, differs}, fmt::format("a value of member {} differs", j), result);
    if (merged.counter)
      ask(merged, {whole, context_.bvNot(condition)},
          fmt::format("more than member {} has its count", j), result);
    any = context_.bvOr(any, condition);
  }
  ask(merged, {merged.condition, merged.counter ? isNoCount : context_.bvNot(any)},
      "there is more than the members", result);
  return result;
}

} // namespace fathom::explore
