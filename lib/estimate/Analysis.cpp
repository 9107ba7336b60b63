// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Analysis.h"

#include "estimate/Blocks.h"
#include "estimate/Ice.h"
#include "estimate/UnitErrors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fathom::estimate {

const char *trustName(Trust trust) {
  switch (trust) {
  case Trust::Good: return "good";
  case Trust::Fair: return "fair";
  case Trust::Poor: return "poor";
  case Trust::None: return "none";
  }
  return "";
}

std::string AnalysisOptions::validate(const FrequencyCounts &counts) const {
  if (levels.empty()) return "no confidence level; expected one between 0 and 1";
  for (double level : levels)
    if (!(level > 0 && level < 1))
      return fmt::format("confidence level {:g}; expected a number between 0 and 1", level);
  if (stopWindow == 0) return "a stop rule over 0 units; expected at least 1";
  return estimators.validate(counts.observed());
}

/// Zelterman, Chao-Bunge and the NPMLEs take frequencies for Poisson.
static bool needsManyUnits(Estimator estimator) {
  return estimator == Estimator::Zelterman || estimator == Estimator::ChaoBunge ||
         estimator == Estimator::Unpmle || estimator == Estimator::Pnpmle;
}

/// Exact when rare elements are equally rare, too small when they are not.
static bool isLowerBound(Estimator estimator) {
  return estimator == Estimator::Chao2 || estimator == Estimator::Chao2BiasCorrected ||
         estimator == Estimator::IChao2 || estimator == Estimator::Ice ||
         estimator == Estimator::Ice1 || estimator == Estimator::ChaoBunge;
}

/// Move a fixed distance, whatever is missing.
static bool movesFixedDistance(Estimator estimator) {
  return estimator == Estimator::SmithVanBelle || estimator == Estimator::Jackknife1 ||
         estimator == Estimator::Jackknife2;
}

/// Above this coefficient of variation equal rarity is not believed. Populations without any
/// variation stay below it in nine of ten campaigns.
static constexpr double kUnequal = 0.6;

/// \param least  the lower end of Chao2-bc's interval, itself of a lower bound.
static void judge(TrustedEstimate &entry, const Analysis &analysis, double least) {
  const Estimate &estimate = entry.widened;
  Estimator estimator = entry.named.estimator;
  auto lower = [&](Trust trust, std::string remark) {
    if (trust <= entry.trust) return;
    entry.trust = trust;
    entry.remark = std::move(remark);
  };
  entry.trust = Trust::Good;
  entry.remark = estimate.status == Status::Fallback ? "nothing points to more" : "";
  if (!estimate.value) return lower(Trust::None, estimate.reason);
  if (estimate.status == Status::BelowObserved || estimate.status == Status::Capped ||
      estimate.status == Status::InsufficientUnits)
    return lower(Trust::Poor, estimate.reason);
  std::optional<Interval> interval = estimate.interval(analysis.options.levels.front());
  if (!interval) return lower(Trust::Poor, estimate.reason);
  if (estimate.status == Status::Fallback) return;
  double width = (interval->upper - interval->lower) / *estimate.value;
  if (width > 2) lower(Trust::Poor, "very imprecise");
  if (estimator == Estimator::Calibrated) { // assumes nothing of what the rules below are about
    if (width > 0.75) lower(Trust::Fair, "imprecise");
    if (entry.remark.empty()) entry.remark = "errors as measured on generated programs";
    return;
  }
  if (*estimate.value > analysis.options.estimators.atMost.value_or(*estimate.value))
    lower(Trust::Poor, "more than there are");
  if (*estimate.value < least) lower(Trust::Poor, "below Chao2's lower bound");
  if (*estimate.value > 5 * static_cast<double>(analysis.counts.observed()))
    lower(Trust::Poor, "more than five times what was covered");
  if (analysis.sampleCoverage < 0.5)
    lower(Trust::Poor, "less than half of the detection probability was seen");
  if (width > 0.75) lower(Trust::Fair, "imprecise");
  if (analysis.counts.units() < 10 && needsManyUnits(estimator))
    lower(Trust::Fair, "meant for ten units and more");
  if (movesFixedDistance(estimator)) lower(Trust::Fair, "corrects by a fixed rule");
  if (analysis.variation > kUnequal && isLowerBound(estimator))
    lower(Trust::Fair, "a lower bound: rare elements are not equally rare");
}

static UnitAnalysis analyseUnits(const IncidenceMatrix &matrix, const AnalysisOptions &options) {
  UnitAnalysis units;
  units.series = unitSeries(matrix);
  units.stop = stopRule(units.series, options.stopWindow);
  units.discovery = discoveryProbability(matrix, options.levels.front());
  Blocks blocks = collapse(matrix);
  units.listed = matrix.listed();
  units.classes = blocks.sizes.size();
  units.designEffect = designEffect(blocks);
  units.blocks = blockChao2(blocks);
  units.drift = driftTest(matrix);
  for (uint32_t from : exponentialWindows(matrix.units(), 5))
    units.resets.push_back({from, resetChao2(resetAt(matrix, from))});
  return units;
}

Estimate widenedFor(const NamedEstimate &named, double observed, double designEffect,
                    const EstimateOptions &options) {
  // The Bootstrap's error is made from pairs of elements, and knows of their dependence.
  if (designEffect <= 1 || !named.estimate.se || named.estimator == Estimator::SmithVanBelle)
    return named.estimate;
  Estimate widened =
      withError(named.estimate, observed, *named.estimate.se * std::sqrt(designEffect));
  if (options.atMost && widened.band) widened.band = widened.band.atMost(*options.atMost);
  return widened;
}

static void addRegroupings(UnitAnalysis &units, const IncidenceMatrix &matrix,
                           const TrustedEstimate &best, const AnalysisOptions &options) {
  for (uint32_t r : {2u, 4u}) {
    if (matrix.units() / r < 10) break;
    Incidence joined;
    joined.matrix = regroup(matrix, r);
    joined.counts = tally(*joined.matrix);
    NamedEstimate named{best.named.estimator,
                        estimateOne(best.named.estimator, joined, options.estimators)};
    UnitAnalysis::Regrouping regrouping{r, {}, {}};
    regrouping.estimate = widenedFor(named, static_cast<double>(joined.counts.observed()),
                                     designEffect(collapse(*joined.matrix)), options.estimators);
    regrouping.agreement = agreement(best.widened, regrouping.estimate, options.levels.front());
    units.regroupings.push_back(std::move(regrouping));
  }
}

Analysis analyse(const Incidence &data, const AnalysisOptions &options) {
  Analysis analysis;
  analysis.options = options;
  analysis.counts = data.counts;
  const FrequencyCounts &counts = analysis.counts;
  uint64_t t = counts.units();
  Rng rng(options.estimators.seed, /*stream=*/21);

  analysis.sampleCoverage = sampleCoverage(counts);
  analysis.discoveryRate = discoveryRate(counts);
  analysis.variation = infrequentVariation(counts);
  analysis.missingMass = missingMass(counts);
  analysis.singletonsAtMostDoubletons = counts.observed() > 0 && counts.count(1) <= counts.count(2);
  analysis.ahead = options.ahead ? options.ahead : t;
  if (t > 1) {
    analysis.unitsTo95 = unitsToReach(counts, 0.95);
    analysis.unitsTo99 = unitsToReach(counts, 0.99);
  }
  analysis.trend = rateTrend(counts);
  if (data.matrix && t > 0) analysis.units = analyseUnits(*data.matrix, options);
  analysis.elements = options.estimators.atMost;
  // A matrix in which everything is covered need not list all there is.
  if (!analysis.elements && analysis.units && analysis.units->listed > counts.observed())
    analysis.elements = static_cast<double>(analysis.units->listed);

  for (NamedEstimate &named : estimateAll(data, options.estimators)) {
    TrustedEstimate entry;
    entry.widened =
        widenedFor(named, static_cast<double>(counts.observed()),
                   analysis.units ? analysis.units->designEffect : 1, options.estimators);
    entry.named = std::move(named);
    analysis.estimates.push_back(std::move(entry));
  }
  double least = 0;
  for (const TrustedEstimate &entry : analysis.estimates)
    if (entry.named.estimator == Estimator::Chao2BiasCorrected)
      if (auto interval = entry.widened.interval(options.levels.front())) least = interval->lower;
  for (TrustedEstimate &entry : analysis.estimates) judge(entry, analysis, least);
  std::sort(analysis.estimates.begin(), analysis.estimates.end(), [](const auto &a, const auto &b) {
    return std::pair(a.trust, a.named.estimator) < std::pair(b.trust, b.named.estimator);
  });

  if (analysis.units && analysis.best())
    addRegroupings(*analysis.units, *data.matrix, *analysis.best(), options);

  std::vector<uint64_t> at;
  if (options.curvePoints > 1 && t > 0) {
    uint64_t steps = options.curvePoints - 1;
    for (uint64_t i = 0; i <= 2 * steps; ++i) at.push_back(t * i / steps);
    at.erase(std::unique(at.begin(), at.end()), at.end());
  }
  Outlook ahead = outlook(counts, at, analysis.ahead, options.curveReplicates, rng);
  analysis.curve = std::move(ahead.curve);
  analysis.expectedNew = std::move(ahead.expectedNew);
  return analysis;
}

const TrustedEstimate *Analysis::best() const {
  return !estimates.empty() && estimates.front().named.estimate.value ? &estimates.front()
                                                                      : nullptr;
}

const TrustedEstimate &Analysis::of(Estimator estimator) const {
  return *std::find_if(estimates.begin(), estimates.end(), [&](const TrustedEstimate &entry) {
    return entry.named.estimator == estimator;
  });
}

} // namespace fathom::estimate
