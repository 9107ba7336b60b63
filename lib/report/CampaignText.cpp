// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/CampaignText.h"

#include "evidence/BugKind.h"
#include "report/Dismissals.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::report {

double executionRate(const campaign::CampaignStatus &status) {
  return status.seconds > 0 ? static_cast<double>(status.sessionExecutions) / status.seconds : 0;
}

static std::string count(uint64_t number) { return grouped(static_cast<double>(number)); }

/// Not the most trusted estimate: which one that is changes while two contradict each other, and
/// the line would go back and forth between their answers.
static std::string roomText(const std::optional<estimate::Interval> &room,
                            const campaign::CampaignStatus &status) {
  if (!room || campaign::Outlook::isOvertaken(room->upper, status)) return "";
  const auto found = static_cast<double>(status.coverage.sidesFound);
  return fmt::format(", {} can be reached", rangeText(std::max(room->lower, found), room->upper));
}

static std::string sidesText(const campaign::CoverageCounts &coverage) {
  if (!campaign::sumOf(coverage.stages)) return "measuring coverage";
  return fmt::format("{}/{} sides", count(coverage.sidesFound), count(coverage.sidesTotal));
}

std::string campaignProgress(const campaign::CampaignStatus &status, const campaign::Outlook &now,
                             size_t bugs) {
  std::string line =
      fmt::format("{:.0f} s, {} runs ({:.0f}/s), {}", status.seconds, count(status.executions),
                  status.executionsPerSecond, sidesText(status.coverage));
  const bool isAll = now.isAllCovered(status);
  if (!isAll) line += roomText(now.room, status);
  if (now.nextHour && !isAll) line += fmt::format(", hour +{}", grouped(*now.nextHour));
  if (bugs) line += ", " + counted(bugs, "bug");
  return line;
}

/// "28,712 fuzzing, 1,200 calibration": the stages that there were.
static std::string stagesText(const campaign::StageCounts &stages) {
  std::string text;
  for (size_t stage = 0; stage < stages.size(); ++stage)
    if (stages[stage] && stage != FATHOM_STAGE_UNKNOWN)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(stages[stage]),
                          campaign::kStageNames[stage]);
  if (uint64_t unknown = stages[FATHOM_STAGE_UNKNOWN])
    text += fmt::format("{}{} in a stage that afl-fuzz did not name", text.empty() ? "" : ", ",
                        count(unknown));
  return text.empty() ? "none" : text;
}

static std::string triageText(const campaign::TriageCounts &triage) {
  std::string text = counted(triage.crashing, "input");
  if (triage.hanging) text += fmt::format(", and {} that took too long", count(triage.hanging));
  if (triage.vanished)
    text += fmt::format("; {} did not reproduce in a fresh process", count(triage.vanished));
  if (triage.failed)
    text += fmt::format("; {} could not be run again ({})", count(triage.failed), triage.failure);
  if (triage.waiting)
    text += fmt::format("; {} not triaged yet (--resume continues)", count(triage.waiting));
  return text;
}

/// The most trusted estimate, as fathom estimate has it, and why it speaks of other sides than
/// those that were found.
static std::string reachableText(const campaign::Outlook &now,
                                 const campaign::CampaignStatus &status) {
  if (now.isAllCovered(status))
    return fmt::format("all {} branch sides, and all are covered",
                       count(std::max(now.covered, status.coverage.sidesFound)));
  if (!now.estimate)
    return fmt::format("too early to estimate ({})", counted(now.units, "complete unit"));
  std::string text =
      fmt::format("{} {} branch sides", now.trust == estimate::Trust::Poor ? "perhaps" : "about",
                  grouped(*now.estimate));
  if (now.lower && now.upper) text += fmt::format(" (90 %: {})", rangeText(*now.lower, *now.upper));
  text += fmt::format(", by {}", now.estimator);
  if (now.contradiction.empty())
    text += fmt::format(" (trust: {})", estimate::trustName(now.trust));
  else
    text += fmt::format("; but {}", now.contradiction);
  if (now.covered != status.coverage.sidesFound)
    text += fmt::format("; computed from the {} that fuzzing stages covered in complete units",
                        count(now.covered));
  if (campaign::Outlook::isOvertaken(*now.estimate, status))
    text += "; too low: seeds and other stages already cover more";
  return text;
}

/// Further ahead than the campaign ran, the estimate falls short, and 0 says next to nothing.
static std::string nextHourText(double expected, double seconds) {
  const bool isShort = seconds < 3600, isNone = expected < 0.5;
  if (isNone && isShort)
    return fmt::format("unknown: by these {:.0f} s alone nothing new, which is too short a time to "
                       "say what an hour finds",
                       seconds);
  if (isNone) return "nothing new expected";
  return fmt::format("about {} new branch sides expected{}", grouped(expected),
                     isShort ? fmt::format(", or more: the campaign ran for {:.0f} s only", seconds)
                             : "");
}

std::string campaignText(const CampaignSummary &summary, const std::string &program,
                         const std::string &folder, const std::string &checked) {
  const campaign::CampaignStatus &status = summary.status;
  auto percent = [](uint64_t part, uint64_t all) {
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  std::string out =
      fmt::format("{}: {} after {:.1f} s\n\n", program, summary.howEnded, status.seconds);
  auto row = [&](const char *name, const std::string &text) {
    out += fmt::format("  {:<13} {}\n", name, text);
  };
  const campaign::Outlook &now = summary.outlook;
  row("time",
      fmt::format("{:.1f} s in all: {:.1f} s of fuzzing, {:.1f} s to build, start and "
                  "estimate",
                  summary.totalSeconds, status.seconds, summary.totalSeconds - status.seconds));
  const campaign::CoverageCounts &coverage = status.coverage;
  row("executions", fmt::format("{} ({:.0f}/s)", count(status.executions), executionRate(status)));
  row("by stage", stagesText(coverage.stages));
  row("units",
      fmt::format("{} complete, {:.1f} s each", count(coverage.units), coverage.unitSeconds));
  row("branch sides",
      fmt::format("{} of {} ({:.1f} %)", count(coverage.sidesFound), count(coverage.sidesTotal),
                  percent(coverage.sidesFound, coverage.sidesTotal)) +
          (now.listing.unreachable
               ? fmt::format("; {} are known to be unreachable", count(now.listing.unreachable))
               : ""));
  row("basic blocks",
      fmt::format("{} of {} ({:.1f} %)", count(coverage.blocksFound), count(coverage.blocksTotal),
                  percent(coverage.blocksFound, coverage.blocksTotal)));
  row("reachable", reachableText(now, status));
  if (now.nextHour && !now.isAllCovered(status)) {
    // The estimate knows of units only, and not how many sides there are left.
    const uint64_t gone = coverage.sidesFound + now.listing.unreachable;
    const double left = static_cast<double>(coverage.sidesTotal - gone);
    const double expected = coverage.sidesTotal ? std::min(*now.nextHour, left) : *now.nextHour;
    row("next hour", nextHourText(expected, status.seconds));
  }
  if (status.statePoints)
    row("states", fmt::format("{} distinct ones at {} points{}", count(status.statesSampled),
                              count(status.statePoints),
                              status.statesDropped ? fmt::format("; {} samples had no room",
                                                                 count(status.statesDropped))
                                                   : ""));
  row("crashes", triageText(status.triage));
  const size_t open = countOpen(summary.findings);
  row("bugs", count(open) + dismissedCountText(summary.findings.size() - open));
  for (const Finding &finding : summary.findings) {
    if (finding.mark.isDismissed() && !summary.listing.showsDismissed) continue;
    const evidence::StackFrame *at = locationOf(finding.stack);
    out += fmt::format("    {}  {}{}\n            {}\n", finding.dir, evidence::name(finding.kind),
                       at ? fmt::format(" in {} at {}:{}", at->function, at->file, at->line) : "",
                       finding.message);
    out += bugNotes(finding, summary.listing);
  }
  // Most wrong accesses hit memory that is there, and the processor notices nothing.
  if (!checked.empty() && (status.triage.crashing || !summary.findings.empty()))
    row("unseen", fmt::format("memory errors that end no execution; to see them: {}", checked));
  if (status.restarts)
    row("restarts", fmt::format("{} (afl-fuzz had died)", count(status.restarts)));
  out += fmt::format("\nresults: {}{}\n", folder,
                     coverage.units
                         ? fmt::format("; for more about what is left: fathom estimate {}", folder)
                         : "");
  return out;
}

} // namespace fathom::report
