// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzText.h"

#include "estimate/AnalysisText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace fathom::tool {

using estimate::grouped;

static constexpr double kLevel = 0.90; // of the interval

const FuzzText::Outlook &FuzzText::outlook(const campaign::CampaignStatus &status, From from) {
  if (status.units == 0 || (outlook_.units == status.units && from_ == from)) return outlook_;
  outlook_ = {};
  from_ = from;
  outlook_.units = status.units;
  estimate::AnalysisOptions options;
  options.curvePoints = 0;
  options.estimators.replicates = 0; // resampling takes seconds; fathom estimate does it
  if (status.unitSeconds > 0)
    options.ahead =
        std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(3600 / status.unitSeconds)));
  estimate::Incidence data;
  data.counts = status.sideCounts;
  if (from == From::Matrix) { // slower; it lets the calibrated estimator answer
    auto read = campaign::readCampaign(database_, campaign::ElementKind::BranchSide);
    if (read)
      data = std::move(*read);
    else // the counts are the same campaign
      llvm::consumeError(read.takeError());
  }
  if (!options.validate(data.counts).empty()) return outlook_;
  estimate::Analysis analysis = estimate::analyse(data, options);
  if (analysis.expectedNew.value) outlook_.nextHour = analysis.expectedNew.value;
  if (const estimate::TrustedEstimate *best = analysis.best()) {
    outlook_.estimator = best->named.name();
    outlook_.estimate = best->named.estimate.value;
    if (auto interval = best->named.estimate.interval(kLevel)) {
      outlook_.lower = interval->lower;
      outlook_.upper = interval->upper;
    }
  }
  return outlook_;
}

/// Over the whole session, AFL++'s own start included.
static double meanRate(const campaign::CampaignStatus &status) {
  return status.seconds > 0 ? static_cast<double>(status.sessionExecutions) / status.seconds : 0;
}

static std::string count(uint64_t number) { return grouped(static_cast<double>(number)); }

static std::string plural(uint64_t number, const std::string &noun) {
  return fmt::format("{} {}{}", count(number), noun, number == 1 ? "" : "s");
}

std::string FuzzText::progress(const campaign::CampaignStatus &status, size_t bugs) {
  std::string line =
      fmt::format("{:.0f} s, {} executions ({:.0f}/s), {} of {} branch sides", status.seconds,
                  count(status.executions), status.executionsPerSecond, count(status.sidesFound),
                  count(status.sidesTotal));
  const Outlook &now = outlook(status, From::Counts);
  if (now.estimate) {
    line += fmt::format(", about {} reachable", grouped(*now.estimate));
    if (now.lower && now.upper)
      line += fmt::format(" [{} to {}]", grouped(*now.lower), grouped(*now.upper));
  }
  if (now.nextHour) line += fmt::format(", next hour +{}", grouped(*now.nextHour));
  if (bugs) line += ", " + plural(bugs, "bug");
  return line;
}

std::string FuzzText::summary(const campaign::CampaignStatus &status,
                              const std::vector<report::Finding> &findings,
                              const std::string &howEnded, const std::string &program,
                              const std::string &folder) {
  auto percent = [](uint64_t part, uint64_t all) {
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  std::string out = fmt::format("{}: {} after {:.1f} s\n\n", program, howEnded, status.seconds);
  auto row = [&](const char *name, const std::string &text) {
    out += fmt::format("  {:<13} {}\n", name, text);
  };
  row("executions", fmt::format("{} ({:.0f}/s)", count(status.executions), meanRate(status)));
  row("units", fmt::format("{} complete, {:.1f} s each", count(status.units), status.unitSeconds));
  row("branch sides",
      fmt::format("{} of {} ({:.1f} %)", count(status.sidesFound), count(status.sidesTotal),
                  percent(status.sidesFound, status.sidesTotal)));
  row("basic blocks",
      fmt::format("{} of {} ({:.1f} %)", count(status.blocksFound), count(status.blocksTotal),
                  percent(status.blocksFound, status.blocksTotal)));
  const Outlook &now = outlook(status, From::Matrix);
  if (now.estimate) {
    std::string text = fmt::format("about {} branch sides", grouped(*now.estimate));
    if (now.lower && now.upper)
      text += fmt::format(" (90 %: {} to {})", grouped(*now.lower), grouped(*now.upper));
    row("reachable", text + ", by " + now.estimator);
  }
  if (now.nextHour) row("next hour", fmt::format("{} new ones expected", grouped(*now.nextHour)));
  row("crashes", fmt::format("{}", plural(status.crashes, "input")));
  row("bugs", count(findings.size()));
  for (const report::Finding &finding : findings) {
    const explore::StackFrame *at = report::locationOf(finding.stack);
    out += fmt::format("    {}  {}{}\n            {}\n", finding.dir, explore::name(finding.kind),
                       at ? fmt::format(" in {} at {}:{}", at->function, at->file, at->line) : "",
                       finding.message);
  }
  if (status.restarts)
    row("restarts", fmt::format("{} of afl-fuzz, which had died", count(status.restarts)));
  out += fmt::format("\nresults: {}; fathom estimate {} says more about what is left\n", folder,
                     folder);
  return out;
}

std::string FuzzText::json(const campaign::CampaignStatus &status,
                           const std::vector<report::Finding> &findings,
                           const std::string &howEnded) {
  using nlohmann::ordered_json;
  const Outlook &now = outlook(status, From::Matrix);
  auto number = [](const std::optional<double> &value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  ordered_json out;
  out["how_ended"] = howEnded;
  out["wall_seconds"] = status.seconds;
  out["executions"] = status.executions;
  out["executions_per_second"] = meanRate(status);
  out["units"] = status.units;
  out["unit_seconds"] = status.unitSeconds;
  out["branches_covered"] = status.sidesFound;
  out["branches_total"] = status.sidesTotal;
  out["blocks_covered"] = status.blocksFound;
  out["blocks_total"] = status.blocksTotal;
  out["estimate"] = {{"estimator", now.estimator},
                     {"value", number(now.estimate)},
                     {"ci_90", ordered_json::array({number(now.lower), number(now.upper)})}};
  out["next_hour"] = number(now.nextHour);
  out["crashing_inputs"] = status.crashes;
  out["restarts"] = status.restarts;
  out["bugs"] = ordered_json::array();
  for (const report::Finding &finding : findings) {
    const explore::StackFrame *at = report::locationOf(finding.stack);
    out["bugs"].push_back({{"kind", explore::name(finding.kind)},
                           {"cwe", explore::cwe(finding.kind)},
                           {"function", at ? at->function : ""},
                           {"file", at ? at->file : ""},
                           {"line", at ? at->line : 0},
                           {"dir", finding.dir}});
  }
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace fathom::tool
