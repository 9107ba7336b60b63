// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/BugKind.h"
#include "report/CampaignText.h"

#include <nlohmann/json.hpp>

namespace fathom::report {

std::string campaignJson(const CampaignSummary &summary) {
  using nlohmann::ordered_json;
  const campaign::CampaignStatus &status = summary.status;
  const campaign::Outlook &now = summary.outlook;
  auto number = [](const std::optional<double> &value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  ordered_json out;
  out["how_ended"] = summary.howEnded;
  out["wall_seconds"] = status.seconds;
  out["total_seconds"] = summary.totalSeconds;
  out["executions"] = status.executions;
  out["executions_per_second"] = executionRate(status);
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
  for (const Finding &finding : summary.findings) {
    const evidence::StackFrame *at = locationOf(finding.stack);
    out["bugs"].push_back({{"id", finding.identity.id},
                           {"kind", evidence::name(finding.kind)},
                           {"cwe", evidence::cwe(finding.kind)},
                           {"function", at ? at->function : ""},
                           {"file", at ? at->file : ""},
                           {"line", at ? at->line : 0},
                           {"message", finding.message},
                           {"dir", finding.dir}});
    if (finding.mark.isDismissed()) out["bugs"].back()["dismissed"] = finding.mark.because;
  }
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace fathom::report
