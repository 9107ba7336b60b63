// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ListJson.h"
#include "run/psp/TriageText.h"

#include <nlohmann/json.hpp>

namespace fathom::run {

static nlohmann::json jsonOf(const Alarm &a, const std::string &picture, double theta) {
  nlohmann::json out = {{"file", a.file},
                        {"line", a.line},
                        {"column", a.column},
                        {"function", a.function},
                        {"what", a.what},
                        {"condition", a.condition},
                        {"reported", a.isReported(theta)},
                        {"estimate", nullptr}};
  if (!picture.empty()) out["picture"] = picture;
  if (const auto *none = std::get_if<psp::NoEstimate>(&a.failure)) {
    out["no_estimate"] = a.isInUnknownObject ? "unknown object" : psp::textOf(*none);
    return out;
  }
  const auto &p = std::get<psp::ConditionProbability>(a.failure);
  out["estimate"] = {{"probability", *a.probability()},
                     {"raw", p.lower},
                     {"upper", p.upper},
                     {"independent", p.independent},
                     {"seen", p.isSeen},
                     {"source", psp::textOf(p.source)},
                     {"witness", a.witness},
                     {"samples", a.samples},
                     {"states", a.states},
                     {"contradictions", a.contradictions},
                     {"looked_at", p.states},
                     {"sampled", p.isSampled}};
  if (p.isSampled)
    out["estimate"].update(
        {{"upper_error", p.upperError}, {"independent_error", p.independentError}});
  return out;
}

void writeTriageJson(const Triage &triage, double theta, const TextSink &out) {
  const Triage::Apart apart = triage.apart();
  report::writeWithList(
      nlohmann::json::object({{"theta", theta},
                              {"apart",
                               {{"seen", apart.seen},
                                {"estimated", apart.estimated},
                                {"different", apart.different},
                                {"without", apart.without}}}}),
      "alarms", triage.alarms.size(),
      [&](size_t i) { return jsonOf(triage.alarms[i], triage.pictures[i], theta); }, out);
}

} // namespace fathom::run
