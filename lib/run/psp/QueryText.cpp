// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/Query.h"

#include <fmt/format.h>

namespace fathom::run {

std::string answerText(const PointAnswer &best) {
  if (std::holds_alternative<psp::NoEstimate>(best.answer))
    return "no estimate: the campaign never got there\n";
  const auto &p = std::get<psp::ConditionProbability>(best.answer);
  return fmt::format("at least     {:.6f}  {}\nat most      {:.6f}\nindependent  {:.6f}\n", p.lower,
                     best.exampleState.empty()
                         ? ""
                         : fmt::format("({}, {})", best.exampleState, psp::textOf(p.source)),
                     p.upper, p.independent);
}

} // namespace fathom::run
