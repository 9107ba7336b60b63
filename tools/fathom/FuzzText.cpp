// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzText.h"

#include "campaign/ReadCampaign.h"
#include "estimate/Analysis.h"
#include "evidence/BugKind.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::tool {

static constexpr double kLevel = 0.90; // of the interval

FuzzText::Outlook FuzzText::lookAhead(const std::string &database, uint64_t units,
                                      double unitSeconds, bool final) {
  const auto began = std::chrono::steady_clock::now();
  Outlook outlook;
  outlook.units = units;
  outlook.final = final;
  if (units == 0) return outlook;
  llvm::Expected<estimate::Incidence> data =
      campaign::readCampaign(database, campaign::ElementKind::BranchSide);
  if (!data) {
    llvm::consumeError(data.takeError()); // there is always the next unit
    return outlook;
  }
  estimate::AnalysisOptions options;
  options.curvePoints = 0;
  if (!final) options.estimators.replicates = 0; // resampling takes seconds
  if (unitSeconds > 0)
    options.ahead = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(3600 / unitSeconds)));
  if (!options.validate(data->counts).empty()) return outlook;
  estimate::Analysis analysis = estimate::analyse(*data, options);
  outlook.covered = analysis.counts.observed();
  outlook.listing = analysis.listing.value_or(estimate::Listing());
  outlook.allCovered = analysis.allCovered();
  outlook.room = analysis.room();
  if (analysis.expectedNew.value) outlook.nextHour = analysis.expectedNew.value;
  if (const estimate::TrustedEstimate *best = analysis.best()) {
    outlook.estimator = best->named.name();
    outlook.trust = best->trust;
    outlook.estimate = analysis.bestValue();
    if (auto interval = best->widened.interval(kLevel)) {
      outlook.lower = interval->lower;
      outlook.upper = interval->upper;
    }
  }
  if (const estimate::TrustedEstimate *other = analysis.contradicting()) {
    // The best one may be either of the two.
    const bool isBest = other == analysis.best();
    const auto &second = isBest ? *analysis.measured() : *other;
    outlook.contradiction =
        fmt::format("{} says {}", second.named.name(), grouped(*second.widened.value));
  }
  outlook.cost = std::chrono::steady_clock::now() - began;
  return outlook;
}

const FuzzText::Outlook &FuzzText::live(const campaign::CampaignStatus &status) {
  const auto now = std::chrono::steady_clock::now();
  if (pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    outlook_ = pending_.get();
    next_ = now + 100 * outlook_.cost; // a hundredth of the time at most
  }
  const campaign::CoverageCounts &coverage = status.coverage;
  if (!pending_.valid() && outlook_.units != coverage.units && now >= next_)
    pending_ =
        std::async(std::launch::async, lookAhead, database_, coverage.units, coverage.unitSeconds,
                   /*final=*/false);
  return outlook_;
}

const FuzzText::Outlook &FuzzText::last(const campaign::CampaignStatus &status) {
  if (pending_.valid()) outlook_ = pending_.get();
  const campaign::CoverageCounts &coverage = status.coverage;
  if (outlook_.units != coverage.units || !outlook_.final)
    outlook_ = lookAhead(database_, coverage.units, coverage.unitSeconds, /*final=*/true);
  return outlook_;
}

/// Over the whole session, from the first execution on.
static double meanRate(const campaign::CampaignStatus &status) {
  return status.seconds > 0 ? static_cast<double>(status.sessionExecutions) / status.seconds : 0;
}

static std::string count(uint64_t number) { return grouped(static_cast<double>(number)); }

/// Estimates are made of complete units and fuzzing stages. Seeds may cover what no input that
/// AFL++ has made covers yet: more is found then than they say can be reached.
static bool isOvertaken(double estimate, const campaign::CampaignStatus &status) {
  return estimate < static_cast<double>(status.coverage.sidesFound);
}

/// Not the most trusted estimate: which one that is changes while two contradict each other, and
/// the line would go back and forth between their answers.
static std::string roomText(const std::optional<estimate::Interval> &room,
                            const campaign::CampaignStatus &status) {
  if (!room || isOvertaken(room->upper, status)) return "";
  const auto found = static_cast<double>(status.coverage.sidesFound);
  return fmt::format(", {} can be reached", rangeText(std::max(room->lower, found), room->upper));
}

/// Seeds cover as well as the fuzzing stages do, of which alone estimates are made.
bool FuzzText::isAllCovered(const Outlook &now, const campaign::CampaignStatus &status) {
  const campaign::CoverageCounts &coverage = status.coverage;
  return now.allCovered || (coverage.sidesTotal &&
                            coverage.sidesFound + now.listing.unreachable >= coverage.sidesTotal);
}

static std::string sidesText(const campaign::CoverageCounts &coverage) {
  if (!campaign::sumOf(coverage.stages)) return "measuring coverage";
  return fmt::format("{}/{} sides", count(coverage.sidesFound), count(coverage.sidesTotal));
}

std::string FuzzText::progress(const campaign::CampaignStatus &status,
                               const std::vector<report::Finding> &findings) {
  std::string line =
      fmt::format("{:.0f} s, {} runs ({:.0f}/s), {}", status.seconds, count(status.executions),
                  status.executionsPerSecond, sidesText(status.coverage));
  const Outlook &now = live(status);
  const bool isAll = isAllCovered(now, status);
  if (!isAll) line += roomText(now.room, status);
  if (now.nextHour && !isAll) line += fmt::format(", hour +{}", grouped(*now.nextHour));
  if (!findings.empty()) line += ", " + counted(findings.size(), "bug");
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
std::string FuzzText::reachableText(const Outlook &now, const campaign::CampaignStatus &status) {
  if (isAllCovered(now, status))
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
    text += fmt::format("; but {}: rely on neither", now.contradiction);
  if (now.covered != status.coverage.sidesFound)
    text += fmt::format("; computed from the {} that fuzzing stages covered in complete units",
                        count(now.covered));
  if (isOvertaken(*now.estimate, status))
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

double FuzzText::totalSeconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

std::string FuzzText::summary(const campaign::CampaignStatus &status,
                              const std::vector<report::Finding> &findings,
                              const std::string &howEnded, const std::string &program,
                              const std::string &folder, const std::string &checked) {
  auto percent = [](uint64_t part, uint64_t all) {
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  std::string out = fmt::format("{}: {} after {:.1f} s\n\n", program, howEnded, status.seconds);
  auto row = [&](const char *name, const std::string &text) {
    out += fmt::format("  {:<13} {}\n", name, text);
  };
  const Outlook &now = last(status); // which takes time, too
  row("time", fmt::format("{:.1f} s in all: {:.1f} s of fuzzing, {:.1f} s to build, start and "
                          "estimate",
                          totalSeconds(), status.seconds, totalSeconds() - status.seconds));
  const campaign::CoverageCounts &coverage = status.coverage;
  row("executions", fmt::format("{} ({:.0f}/s)", count(status.executions), meanRate(status)));
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
  if (now.nextHour && !isAllCovered(now, status)) {
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
  row("bugs", count(findings.size()));
  for (const report::Finding &finding : findings) {
    const evidence::StackFrame *at = report::locationOf(finding.stack);
    out += fmt::format("    {}  {}{}\n            {}\n", finding.dir, evidence::name(finding.kind),
                       at ? fmt::format(" in {} at {}:{}", at->function, at->file, at->line) : "",
                       finding.message);
  }
  // Most wrong accesses hit memory that is there, and the processor notices nothing.
  if (!checked.empty() && (status.triage.crashing || !findings.empty()))
    row("unseen", fmt::format("memory errors that end no execution; to see them: {}", checked));
  if (status.restarts)
    row("restarts", fmt::format("{} (afl-fuzz had died)", count(status.restarts)));
  out += fmt::format("\nresults: {}{}\n", folder,
                     coverage.units
                         ? fmt::format("; for more about what is left: fathom estimate {}", folder)
                         : "");
  return out;
}

std::string FuzzText::json(const campaign::CampaignStatus &status,
                           const std::vector<report::Finding> &findings,
                           const std::string &howEnded) {
  using nlohmann::ordered_json;
  const Outlook &now = last(status);
  auto number = [](const std::optional<double> &value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  ordered_json out;
  out["how_ended"] = howEnded;
  out["wall_seconds"] = status.seconds;
  out["total_seconds"] = totalSeconds();
  out["executions"] = status.executions;
  out["executions_per_second"] = meanRate(status);
  const campaign::CoverageCounts &coverage = status.coverage;
  for (size_t stage = 0; stage < coverage.stages.size(); ++stage)
    out["stages"][campaign::kStageNames[stage]] = coverage.stages[stage];
  out["units"] = coverage.units;
  out["unit_seconds"] = coverage.unitSeconds;
  out["branches_covered"] = coverage.sidesFound;
  out["branches_total"] = coverage.sidesTotal;
  out["branches_unreachable"] = now.listing.unreachable;
  out["blocks_covered"] = coverage.blocksFound;
  out["blocks_total"] = coverage.blocksTotal;
  out["estimate"] = {{"estimator", now.estimator},
                     {"value", number(now.estimate)},
                     {"ci_90", ordered_json::array({number(now.lower), number(now.upper)})},
                     {"trust", estimate::trustName(now.trust)},
                     {"observed", now.covered}};
  out["next_hour"] = number(now.nextHour);
  out["crashing_inputs"] = status.triage.crashing;
  out["hanging_inputs"] = status.triage.hanging;
  out["failed_inputs"] = status.triage.failed;
  out["restarts"] = status.restarts;
  if (status.statePoints)
    out["states"] = {{"points", status.statePoints},
                     {"distinct", status.statesSampled},
                     {"dropped", status.statesDropped}};
  out["bugs"] = ordered_json::array();
  for (const report::Finding &finding : findings) {
    const evidence::StackFrame *at = report::locationOf(finding.stack);
    out["bugs"].push_back({{"kind", evidence::name(finding.kind)},
                           {"cwe", evidence::cwe(finding.kind)},
                           {"function", at ? at->function : ""},
                           {"file", at ? at->file : ""},
                           {"line", at ? at->line : 0},
                           {"message", finding.message},
                           {"dir", finding.dir}});
  }
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace fathom::tool
