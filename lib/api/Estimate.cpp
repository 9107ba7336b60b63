// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Estimate.h>

#include "api/Convert.h"
#include "campaign/ElementKinds.h"
#include "run/estimate/Estimate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fathom::api {

static Trust trustOf(estimate::Trust trust) {
  switch (trust) {
  case estimate::Trust::Good: return Trust::Good;
  case estimate::Trust::Fair: return Trust::Fair;
  case estimate::Trust::Poor: return Trust::Poor;
  case estimate::Trust::None: return Trust::None;
  }
  return Trust::None;
}

static Estimate estimateOf(const estimate::TrustedEstimate &from, double level) {
  Estimate out;
  out.key = from.named.key();
  out.name = from.named.name();
  out.reachable = from.widened.value;
  if (const std::optional<estimate::Interval> interval = from.widened.interval(level)) {
    out.lower = interval->lower;
    out.upper = interval->upper;
  }
  out.trust = trustOf(from.trust);
  out.remark = from.remark;
  return out;
}

Result<CampaignEstimate> estimate(const std::string &input, const EstimateOptions &options) {
  if (!options.of.empty() && !campaign::kindNamed(options.of))
    return usageError(
        fmt::format("--of {}: expected {}", options.of, fmt::join(campaign::kElementKinds, ", ")));
  run::EstimateRequest request;
  request.input = input;
  request.of = options.of;
  request.first = options.firstUnits;
  request.options.levels = {options.level};
  request.options.ahead = options.ahead;
  request.options.curvePoints = 0; // the curve is not part of the result
  llvm::Expected<run::CampaignEstimate> done = run::estimateCampaign(request);
  if (!done) return toApiError(done.takeError());
  const estimate::Analysis &analysis = done->analysis;
  CampaignEstimate out;
  out.elements = done->noun;
  out.units = analysis.counts.units();
  out.covered = analysis.counts.observed();
  if (analysis.elements) out.total = static_cast<uint64_t>(*analysis.elements);
  out.sampleCoverage = analysis.sampleCoverage;
  out.expectedNew = analysis.expectedNew.value;
  out.ahead = analysis.ahead;
  const estimate::TrustedEstimate *best = analysis.best();
  for (const estimate::TrustedEstimate &one : analysis.estimates) {
    if (&one == best) out.best = out.estimates.size();
    out.estimates.push_back(estimateOf(one, options.level));
  }
  return out;
}

} // namespace fathom::api
