// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/TriageText.h"

#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

static const char *reasonText(const Alarm &alarm, bool sampledAccesses) {
  if (alarm.isInUnknownObject) return "no object is known around the address";
  if (std::get<psp::NoEstimate>(alarm.failure) == psp::NoEstimate::NeverReached)
    return "the campaign never got there";
  if (alarm.isAccess && !sampledAccesses)
    return "the campaign sampled no accesses (--state-samples=alarms)";
  return "it has no condition on sampled variables";
}

static std::string estimateText(const Alarm &alarm, bool sampledAccesses) {
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

void writeTriageText(const Triage &triage, double theta, const std::string &folder,
                     const TextSink &out) {
  const std::vector<Alarm> &alarms = triage.alarms;
  for (size_t i = 0; i < alarms.size(); ++i) {
    const Alarm &a = alarms[i];
    const std::optional<double> p = a.probability();
    out(fmt::format("{}  {}  {}:{}:{}: {}\n", p ? fmt::format("{:.4f}", *p) : "   -  ",
                    a.isReported(theta) ? "reported" : "below   ", a.file, a.line, a.column,
                    a.what));
    out(fmt::format("        {}\n", estimateText(a, triage.sampledAccesses)));
    if (!triage.pictures[i].empty())
      out(fmt::format("        {}/{}\n", folder, triage.pictures[i]));
  }
  const auto reported = std::count_if(alarms.begin(), alarms.end(),
                                      [&](const Alarm &a) { return a.isReported(theta); });
  const auto estimated = std::count_if(alarms.begin(), alarms.end(),
                                       [](const Alarm &a) { return a.probability().has_value(); });
  out(fmt::format("{}, {} with an estimate; {} reported at theta {}\n",
                  counted(alarms.size(), "alarm"), estimated, reported, theta));
}

} // namespace fathom::run
