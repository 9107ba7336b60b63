// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageSentence.h"

#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::run::page {

static bool hasPart(const PageData &data, By by) {
  return std::ranges::any_of(data.parts, [by](const Part &part) { return part.by == by; });
}

static std::string percent(uint64_t part, uint64_t whole) {
  return fmt::format("{:.1f} %",
                     whole ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
}

/// "2 are confirmed, 1 is possible and 4 are open"; empty: there are no reports.
static std::string verdictsText(const PageData &data) {
  std::map<std::string, uint64_t> counts;
  for (const Report &report : data.reports) ++counts[report.verdict];
  std::vector<std::string> parts;
  for (const auto &[verdict, words] :
       {std::pair{"confirmed", "confirmed"}, std::pair{"possible", "possible"},
        std::pair{"open", "open"}, std::pair{"bounded", "refuted only up to a bound"},
        std::pair{"refuted", "refuted"}, std::pair{"unchecked", "not checked"}})
    if (const auto count = counts.find(verdict); count != counts.end() && data.reports.size() == 1)
      return fmt::format("is {}", words);
    else if (count != counts.end())
      parts.push_back(fmt::format("{} {} {}", grouped(static_cast<double>(count->second)),
                                  count->second == 1 ? "is" : "are", words));
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return out;
}

static std::string foundText(const PageData &data) {
  const bool isRun = hasPart(data, By::Explore) || hasPart(data, By::Fuzz);
  const auto different = static_cast<uint64_t>(
      std::ranges::count_if(data.bugs, [](const Bug &bug) { return !bug.follows; }));
  std::string out;
  if (isRun && different)
    out = fmt::format("Fathom found {} in {}, {} input that shows it", counted(different, "bug"),
                      data.title, different == 1 ? "with an" : "each with an");
  else if (isRun)
    out = fmt::format("Fathom found no bug in {}", data.title);
  if (data.reports.empty()) return out.empty() ? "There are no reports." : out + ".";
  if (data.reports.size() == 1)
    return fmt::format("{} one report {}.", out.empty() ? "The" : out + "; the",
                       verdictsText(data));
  const std::string reports = counted(data.reports.size(), "report");
  return fmt::format("{} {}, {}.", out.empty() ? "Of" : out + "; of", reports, verdictsText(data));
}

static std::string sureText(const PageData &data) {
  const bool isExplored = hasPart(data, By::Explore), isFuzzed = hasPart(data, By::Fuzz);
  if (!isExplored && !isFuzzed)
    return hasPart(data, By::Confirm)
               ? "A confirmed report has an input or holds for all callers, a refuted one shows on "
                 "no path; an open one is undecided."
               : "Nothing has been executed: each report may be a false alarm.";
  const bool isOneRun = std::ranges::any_of(data.parts, [](const Part &part) {
    const auto symbols = part.totals.find("symbols");
    return part.by == By::Explore && symbols != part.totals.end() && symbols->second == 0;
  });
  if (isOneRun && !isFuzzed)
    return "Nothing was symbolic, so this was one run on one input; it says nothing of others.";
  const bool isComplete =
      !isOneRun && !data.ledger.complete.empty() &&
      std::ranges::all_of(data.ledger.complete, [](const auto &part) { return part.second; }) &&
      std::ranges::any_of(data.parts, [](const Part &part) {
        return part.by == By::Explore && part.howEnded.find("no state left") != std::string::npos;
      });
  if (isComplete)
    return "All paths under the given inputs and the model of the environment were explored, each "
           "to its end or its first bug.";
  std::string out = data.bugs.empty() ? "That is no proof that there is none"
                                      : "Every bug has been executed; others may be left";
  uint64_t entries = 0;
  for (const LedgerEntry &entry : data.ledger.entries) entries += !entry.isAssumption;
  if (entries)
    return fmt::format("{}: the ledger names {} that the exploration left out.", out,
                       entries == 1 ? "1 thing"
                                    : grouped(static_cast<double>(entries)) + " things");
  return out + (isExplored
                    ? ": the exploration did not end by itself."
                    : ": fuzzing shows what it runs into, never that there is nothing else.");
}

static std::string leftText(const PageData &data) {
  const Curve &curve = data.curve;
  if (!curve.total) return "";
  std::string out =
      fmt::format("{} of {} are covered ({})", grouped(static_cast<double>(curve.covered)),
                  counted(curve.total, "branch side"), percent(curve.covered, curve.total));
  const uint64_t most = curve.total - curve.unreachable;
  if (curve.unreachable)
    out +=
        fmt::format(" and {} proved unreachable", grouped(static_cast<double>(curve.unreachable)) +
                                                      (curve.unreachable == 1 ? " is" : " are"));
  const uint64_t left = most - std::min(most, curve.covered);
  if (!left) return out + ": nothing is left to cover.";
  out += fmt::format(", so at most {} {} left", grouped(static_cast<double>(left)),
                     left == 1 ? "is" : "are");
  if (!curve.estimate) return out + ".";
  const Estimate &estimate = *curve.estimate;
  const auto covered = static_cast<double>(curve.covered);
  if (estimate.value < covered)
    return out + fmt::format("; the estimate of {} that fuzzing can reach is already exceeded.",
                             grouped(estimate.value));
  out += fmt::format("; of these, an estimated {} can be reached",
                     grouped(std::round(estimate.value - covered)));
  if (estimate.low && estimate.high)
    out += fmt::format(" ({}, with 90 % confidence)",
                       rangeText(std::round(std::max(0.0, *estimate.low - covered)),
                                 std::round(std::max(0.0, *estimate.high - covered))));
  return out + ".";
}

std::vector<std::string> sentencesOf(const PageData &data) {
  std::vector<std::string> out{foundText(data), sureText(data)};
  if (const std::string left = leftText(data); !left.empty()) out.push_back(left);
  return out;
}

} // namespace fathom::run::page
