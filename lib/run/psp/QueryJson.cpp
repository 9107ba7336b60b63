// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/Query.h"

#include <nlohmann/json.hpp>

namespace fathom::run {

std::string answerJson(const PointAnswer &best) {
  nlohmann::json out;
  if (const auto *none = std::get_if<psp::NoEstimate>(&best.answer)) {
    out["no_estimate"] = psp::textOf(*none);
  } else {
    const auto &p = std::get<psp::ConditionProbability>(best.answer);
    out = {{"probability", p.lower},          {"upper", p.upper},
           {"independent", p.independent},    {"seen", p.isSeen},
           {"source", psp::textOf(p.source)}, {"witness", best.exampleState}};
  }
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace fathom::run
