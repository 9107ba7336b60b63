// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Analysis.h"

#include "estimate/Blocks.h"
#include "estimate/Ice.h"
#include "estimate/UnitErrors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace fathom::estimate {

std::string AnalysisOptions::validate(const FrequencyCounts &counts) const {
  if (levels.empty()) return "no confidence level; expected one between 0 and 1";
  for (double level : levels)
    if (!(level > 0 && level < 1))
      return fmt::format("confidence level {:g}; expected a number between 0 and 1", level);
  if (stopWindow == 0) return "a stop rule over 0 units; expected at least 1";
  return estimators.validate(counts.observed());
}

static UnitAnalysis analyseUnits(const IncidenceMatrix &matrix, const AnalysisOptions &options) {
  UnitAnalysis units;
  units.series = unitSeries(matrix);
  units.stop = stopRule(units.series, options.stopWindow);
  units.discovery = discoveryProbability(matrix, options.levels.front());
  Blocks blocks = collapse(matrix);
  units.executions = matrix.executions();
  units.listed = matrix.listed();
  units.classes = blocks.sizes.size();
  units.designEffect = designEffect(blocks);
  Rng rng(options.estimators.seed, kReachStream);
  units.reach = Reach(blocks, units.discovery, rng);
  units.blocks = blockChao2(blocks);
  units.drift = driftTest(matrix);
  for (uint32_t from : exponentialWindows(matrix.units(), 5))
    units.resets.push_back({from, resetChao2(resetAt(matrix, from))});
  return units;
}

Estimate widenedFor(const NamedEstimate &named, double observed, double designEffect,
                    std::optional<double> atMost) {
  Estimate widened = named.estimate;
  // The Bootstrap's error is made from pairs of elements, and knows of their dependence.
  if (designEffect > 1 && widened.se && named.estimator != Estimator::SmithVanBelle)
    widened = withError(widened, observed, *widened.se * std::sqrt(designEffect));
  if (atMost && widened.band) widened.band = widened.band.atMost(*atMost);
  // Only where it equals the observed count: other intervals may end below their estimate by a
  // bound.
  if (widened.status == Status::Fallback && widened.band && widened.value)
    widened.band = widened.band.holding(*widened.value);
  return widened;
}

void extend(Estimate &estimate, Estimator estimator, const Reach &reach) {
  if (estimate.band && !isMeasured(estimator)) estimate.band = estimate.band.reaching(reach);
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
  analysis.listing = data.listing;
  analysis.atMost = options.estimators.atMost;
  if (!analysis.atMost && data.listing && data.matrix)
    analysis.atMost = static_cast<double>(data.matrix->listed());
  analysis.elements = analysis.atMost;
  // A matrix in which everything is covered need not list all there is.
  if (!analysis.elements && analysis.units && analysis.units->listed > counts.observed())
    analysis.elements = static_cast<double>(analysis.units->listed);

  for (NamedEstimate &named : estimateAll(data, options.estimators)) {
    TrustedEstimate entry;
    const auto observed = static_cast<double>(counts.observed());
    entry.widened = widenedFor(named, observed, analysis.units ? analysis.units->designEffect : 1,
                               analysis.atMost);
    if (analysis.units) extend(entry.widened, named.estimator, analysis.units->reach);
    entry.named = std::move(named);
    analysis.estimates.push_back(std::move(entry));
  }
  judge(analysis, data);

  std::vector<uint64_t> at;
  if (options.curvePoints > 1 && t > 0) {
    uint64_t steps = options.curvePoints - 1;
    for (uint64_t i = 0; i <= 2 * steps; ++i) at.push_back(t * i / steps);
    at.erase(std::unique(at.begin(), at.end()), at.end());
  }
  std::optional<double> left;
  if (analysis.atMost) left = *analysis.atMost - static_cast<double>(counts.observed());
  analysis.gain = gainOfDoubling(counts, analysis.units ? &analysis.units->series : nullptr, left);
  Outlook ahead = outlook(counts, at, analysis.ahead, options.curveReplicates, rng);
  analysis.curve = std::move(ahead.curve);
  analysis.expectedNew = std::move(ahead.expectedNew);
  return analysis;
}

const TrustedEstimate *Analysis::best() const {
  return !estimates.empty() && estimates.front().named.estimate.value ? &estimates.front()
                                                                      : nullptr;
}

const TrustedEstimate *Analysis::measured() const {
  for (Estimator estimator : {Estimator::Calibrated, Estimator::ConstantShare}) {
    const TrustedEstimate &entry = of(estimator);
    if (entry.trust < Trust::Poor && entry.widened.band) return &entry;
  }
  return nullptr;
}

std::optional<Interval> Analysis::room() const {
  const Estimate &share = of(Estimator::ConstantShare).widened,
                 &rare = of(Estimator::Chao2BiasCorrected).widened;
  const std::optional<Interval> interval = share.interval(options.levels.front());
  if (!interval) return std::nullopt;
  const double least = std::min(rare.value.value_or(interval->lower), *elements);
  return Interval{std::min(interval->lower, least), std::max(interval->upper, least)};
}

Interval EstimateSpread::values() const {
  if (!ofPrograms) return ofRarity;
  if (!rarities) return {*ofPrograms, *ofPrograms};
  return {std::min(ofRarity.lower, *ofPrograms), std::max(ofRarity.upper, *ofPrograms)};
}

std::optional<EstimateSpread> Analysis::spread() const {
  const double level = options.levels.front();
  auto cut = [&](double value) { return atMost ? std::min(value, *atMost) : value; };
  EstimateSpread spread;
  Interval common{0, std::numeric_limits<double>::infinity()};
  for (const TrustedEstimate &entry : estimates) {
    if (!isOfRarity(entry.named.estimator) || entry.trust >= Trust::Poor) continue;
    const double value = cut(*entry.widened.value);
    Interval &all = spread.ofRarity;
    all = spread.rarities++ ? Interval{std::min(all.lower, value), std::max(all.upper, value)}
                            : Interval{value, value};
    const Interval own = *entry.widened.interval(level); // else it is poor
    common = {std::max(common.lower, own.lower), std::min(common.upper, own.upper)};
  }
  spread.isDisputed = common.lower > common.upper;
  if (const TrustedEstimate *known = measured()) {
    spread.ofPrograms = cut(*known->widened.value);
    const Interval held = *known->widened.interval(level);
    spread.isContradicted = spread.rarities && (spread.ofRarity.upper < held.lower ||
                                                spread.ofRarity.lower > held.upper);
  }
  if (!spread.count()) return std::nullopt;
  return spread;
}

std::optional<double> Analysis::bestValue() const {
  const TrustedEstimate *entry = best();
  if (!entry) return std::nullopt;
  const double value = *entry->widened.value;
  return atMost ? std::min(value, *atMost) : value;
}

const TrustedEstimate &Analysis::of(Estimator estimator) const {
  return *std::find_if(estimates.begin(), estimates.end(), [&](const TrustedEstimate &entry) {
    return entry.named.estimator == estimator;
  });
}

} // namespace fathom::estimate
