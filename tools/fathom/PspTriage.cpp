// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PspTriage.h"

#include "Documents.h"

#include "run/psp/Triage.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fathom::tool {

namespace {

using run::Alarm;

const char *reasonText(const Alarm &alarm, bool sampledAccesses) {
  if (alarm.isInUnknownObject) return "no object is known around the address";
  if (std::get<psp::NoEstimate>(alarm.failure) == psp::NoEstimate::NeverReached)
    return "the campaign never got there";
  if (alarm.isAccess && !sampledAccesses)
    return "the campaign sampled no accesses (--state-samples=alarms)";
  return "it has no condition on sampled variables";
}

std::string estimateText(const Alarm &alarm, bool sampledAccesses) {
  if (std::holds_alternative<psp::NoEstimate>(alarm.failure))
    return fmt::format("no estimate: {}", reasonText(alarm, sampledAccesses));
  const auto &p = std::get<psp::ConditionProbability>(alarm.failure);
  const std::string from =
      fmt::format("{} of {}", counted(alarm.samples, "sample"), counted(alarm.states, "state"));
  if (p.isSeen) return fmt::format("seen to fail at {} ({})", alarm.witness, from);
  if (alarm.witness.empty()) return fmt::format("fails in no state near those seen ({})", from);
  return fmt::format("most probable at {} ({:.4f} by {}; {})", alarm.witness, p.lower,
                     textOf(p.source), from);
}

void printText(const run::Triage &triage, const TriageFlags &flags) {
  const std::vector<Alarm> &alarms = triage.alarms;
  for (size_t i = 0; i < alarms.size(); ++i) {
    const Alarm &a = alarms[i];
    const std::optional<double> p = a.probability();
    fmt::print("{}  {}  {}:{}:{}: {}\n", p ? fmt::format("{:.4f}", *p) : "   -  ",
               a.isReported(flags.theta) ? "reported" : "below   ", a.file, a.line, a.column,
               a.what);
    fmt::print("        {}\n", estimateText(a, triage.sampledAccesses));
    if (!triage.pictures[i].empty())
      fmt::print("        {}/{}\n", flags.scan.common.output, triage.pictures[i]);
  }
  const auto reported = std::count_if(alarms.begin(), alarms.end(),
                                      [&](const Alarm &a) { return a.isReported(flags.theta); });
  const auto estimated = std::count_if(alarms.begin(), alarms.end(),
                                       [](const Alarm &a) { return a.probability().has_value(); });
  fmt::print("{}, {} with an estimate; {} reported at theta {}\n", counted(alarms.size(), "alarm"),
             estimated, reported, flags.theta);
}

nlohmann::json jsonOf(const Alarm &a, const std::string &picture, const TriageFlags &flags) {
  nlohmann::json out = {{"file", a.file},
                        {"line", a.line},
                        {"column", a.column},
                        {"function", a.function},
                        {"what", a.what},
                        {"condition", a.condition},
                        {"reported", a.isReported(flags.theta)},
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

} // namespace

int runTriage(const TriageFlags &flags, Context &context) {
  const CommonOptions &common = flags.scan.common;
  configureLog(common, context.log);
  run::Session session = context.session();
  const run::Triage triage = orThrow(run::triage(
      {scanOptions(flags.scan), flags.campaign, flags.reports, common.output, flags.theta},
      session));
  const std::vector<Alarm> &alarms = triage.alarms;
  if (common.json) {
    printWithList(nlohmann::json::object({{"theta", flags.theta}}), "alarms", alarms.size(),
                  [&](size_t i) { return jsonOf(alarms[i], triage.pictures[i], flags); });
  } else if (!common.quiet) {
    printText(triage, flags);
  }
  const bool hasReported = std::any_of(alarms.begin(), alarms.end(),
                                       [&](const Alarm &a) { return a.isReported(flags.theta); });
  return common.failOnFindings && hasReported ? kFindings : kDone;
}

} // namespace fathom::tool
