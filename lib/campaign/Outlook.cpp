// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Outlook.h"

#include "campaign/ReadCampaign.h"
#include "estimate/Analysis.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::campaign {

static constexpr double kLevel = 0.90; // of the interval

/// `unitSeconds`: how long a unit is; 0: unknown.
static Outlook lookAhead(const std::string &database, uint64_t units, double unitSeconds,
                         bool final) {
  const auto began = std::chrono::steady_clock::now();
  Outlook outlook;
  outlook.units = units;
  if (units == 0) return outlook;
  llvm::Expected<estimate::Incidence> data = readCampaign(database, ElementKind::BranchSide);
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
  if (const auto spread = analysis.spread(); spread && spread->isContradicted)
    outlook.contradiction = fmt::format("{} judging by how rare they are: rely on neither",
                                        rangeText(spread->ofRarity.lower, spread->ofRarity.upper));
  else if (spread && spread->isDisputed)
    outlook.contradiction =
        fmt::format("{} estimators say {} and contradict each other: rely on none", spread->count(),
                    rangeText(spread->values().lower, spread->values().upper));
  outlook.cost = std::chrono::steady_clock::now() - began;
  return outlook;
}

Outlook lookAhead(const std::string &database, const CoverageCounts &coverage, bool final) {
  return lookAhead(database, coverage.units, coverage.unitSeconds, final);
}

const Outlook &LiveOutlook::at(const CampaignStatus &status) {
  const auto now = std::chrono::steady_clock::now();
  if (pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    outlook_ = pending_.get();
    next_ = now + 100 * outlook_.cost; // a hundredth of the time at most
  }
  const CoverageCounts &coverage = status.coverage;
  if (!pending_.valid() && outlook_.units != coverage.units && now >= next_)
    pending_ = std::async(std::launch::async, [database = database_, units = coverage.units,
                                               seconds = coverage.unitSeconds] {
      return lookAhead(database, units, seconds, /*final=*/false);
    });
  return outlook_;
}

bool Outlook::isOvertaken(double estimate, const CampaignStatus &status) {
  return estimate < static_cast<double>(status.coverage.sidesFound);
}

bool Outlook::isAllCovered(const CampaignStatus &status) const {
  const CoverageCounts &coverage = status.coverage;
  return allCovered ||
         (coverage.sidesTotal && coverage.sidesFound + listing.unreachable >= coverage.sidesTotal);
}

} // namespace fathom::campaign
