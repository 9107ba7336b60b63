// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/TriageText.h"

#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

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

/// What the list is worth, before it comes: which alarms the probabilities tell apart. "": there
/// are not two alarms.
static std::string worthText(const Triage &triage) {
  const size_t all = triage.alarms.size();
  if (all < 2) return "";
  const Triage::Apart apart = triage.apart();
  std::vector<std::string> said;
  if (apart.seen)
    said.push_back(fmt::format("{} of {} alarms {} seen to fail", apart.seen, all,
                               apart.seen == 1 ? "was" : "were"));
  const std::string rest =
      fmt::format("{} {} {}{}", apart.seen || apart.without ? "the" : "these", apart.estimated,
                  apart.seen ? "others" : "alarms", apart.without ? " with an estimate" : "");
  if (apart.estimated > 1 && apart.different == 1)
    said.push_back(fmt::format("nothing tells {} apart: each has the probability {:.4f}, so they "
                               "stand in the order of their places",
                               rest, *triage.alarms[apart.seen].probability()));
  else if (apart.estimated > 1)
    said.push_back(fmt::format("{} have {} different probabilities, and equal ones stand in the "
                               "order of their places",
                               rest, apart.different));
  if (apart.without)
    said.push_back(
        fmt::format("{} {} no estimate", apart.without, apart.without == 1 ? "has" : "have"));
  return fmt::format("{}\n", fmt::join(said, "; "));
}

void writeTriageText(const Triage &triage, double theta, const std::string &folder,
                     const TextSink &out) {
  const std::vector<Alarm> &alarms = triage.alarms;
  if (const std::string worth = worthText(triage); !worth.empty()) out(worth);
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
