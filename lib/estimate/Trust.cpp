// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Trust.h"

#include "estimate/Analysis.h"
#include "estimate/Blocks.h"
#include "estimate/Calibration.h"

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

/// Never raises; the remark is that of the first rule that led to the grade.
static void lower(TrustedEstimate &entry, Trust trust, std::string remark) {
  if (trust <= entry.trust) return;
  entry.trust = trust;
  entry.remark = std::move(remark);
}

/// Than the campaigns of the calibration, by more than its margin.
static bool isFarLonger(const Analysis &analysis) {
  if (!analysis.units || !analysis.units->executions) return false;
  const double most = builtinCalibration().most[static_cast<size_t>(Feature::Executions)];
  return std::log(*analysis.units->executions) > most + traits(Feature::Executions).margin;
}

/// What the estimate says of itself, and whether the counts suit its model.
/// \param least  the lower end of Chao2-bc's interval, itself of a lower bound.
static void judgeAlone(TrustedEstimate &entry, const Analysis &analysis, double least) {
  const Estimate &estimate = entry.widened;
  Estimator estimator = entry.named.estimator;
  entry.trust = Trust::Good;
  entry.remark = estimate.status == Status::Fallback ? "nothing points to more" : "";
  if (!estimate.value) return lower(entry, Trust::None, estimate.reason);
  if (estimate.status == Status::BelowObserved || estimate.status == Status::Capped ||
      estimate.status == Status::InsufficientUnits)
    return lower(entry, Trust::Poor, estimate.reason);
  std::optional<Interval> interval = estimate.interval(analysis.options.levels.front());
  if (!interval) return lower(entry, Trust::Poor, estimate.reason);
  if (analysis.counts.units() < 10 && needsManyUnits(estimator))
    lower(entry, Trust::Fair, "meant for ten units and more");
  if (estimate.status == Status::Fallback) return;
  double width = (interval->upper - interval->lower) / *estimate.value;
  if (width > 2) lower(entry, Trust::Poor, "very imprecise");
  if (isMeasured(estimator)) { // assumes nothing of what the rules below are about
    if (width > 0.75) lower(entry, Trust::Fair, "imprecise");
    if (!analysis.atMost && least > *analysis.elements)
      lower(entry, Trust::Poor, "more are likely than the matrix lists");
    // Calibration measured this estimator's errors on generated programs; whether this program is
    // like those is unknown.
    lower(entry, Trust::Fair,
          estimator == Estimator::ConstantShare
              ? isFarLonger(analysis)
                    ? "the same share for every campaign; measured in far shorter ones"
                    : "the same share for every campaign; errors as measured on generated programs"
          : analysis.units && !analysis.units->executions
              ? "errors as measured on generated programs; number of executions unknown"
              : "errors as measured on generated programs");
    return;
  }
  if (*estimate.value > analysis.atMost.value_or(*estimate.value))
    lower(entry, Trust::Poor, "more than there are");
  if (*estimate.value < least) lower(entry, Trust::Poor, "below Chao2's lower bound");
  if (*estimate.value > 5 * static_cast<double>(analysis.counts.observed()))
    lower(entry, Trust::Poor, "more than five times what was covered");
  if (analysis.sampleCoverage < 0.5)
    lower(entry, Trust::Poor, "less than half of the detection probability was seen");
  if (width > 0.75) lower(entry, Trust::Fair, "imprecise");
  if (movesFixedDistance(estimator)) lower(entry, Trust::Fair, "corrects by a fixed rule");
  if (analysis.variation > kUnequal && isLowerBound(estimator))
    lower(entry, Trust::Fair, "a lower bound: rare elements are not equally rare");
}

/// What was measured was measured on other programs; the errors of the twelve are deduced from
/// assumptions, under which nine of ten intervals missed the truth of generated programs. Where the
/// two contradict each other one is wrong, and nothing says which.
static void holdAgainstMeasured(Analysis &analysis) {
  const double level = analysis.options.levels.front();
  const TrustedEstimate *known = analysis.measured();
  for (TrustedEstimate &entry : analysis.estimates) {
    if (isMeasured(entry.named.estimator) || entry.trust >= Trust::Poor) continue;
    if (!known) {
      lower(entry, Trust::Fair,
            entry.named.estimate.status == Status::Fallback
                ? "nothing points to more, but nothing measured confirms it"
                : "nothing measured confirms it");
      continue;
    }
    const char *whose =
        known->named.estimator == Estimator::Calibrated ? "the calibrated" : "the constant share's";
    const Interval held = *known->widened.interval(level), own = *entry.widened.interval(level);
    const double value = *entry.widened.value;
    if (own.upper < held.lower || own.lower > held.upper)
      lower(entry, Trust::Fair, fmt::format("contradicts {} interval", whose));
    else if (value < held.lower || value > held.upper)
      lower(entry, Trust::Fair, fmt::format("outside of {} interval", whose));
  }
}

/// All but those made from campaigns that drift take units for exchangeable.
static void heedDrift(std::vector<TrustedEstimate> &entries) {
  for (TrustedEstimate &entry : entries)
    if (!isMeasured(entry.named.estimator))
      lower(entry, Trust::Fair, "takes units for alike, and they are not (drift)");
}

namespace {
/// The same campaign in longer units.
struct Regrouped {
  uint32_t r;
  Incidence data;
  double designEffect;
  Reach reach;
};
} // namespace

static std::vector<Regrouped> regroupings(const IncidenceMatrix &matrix, double level,
                                          uint64_t seed) {
  std::vector<Regrouped> all;
  for (uint32_t r : {2u, 4u}) {
    if (matrix.units() / r < 10) break;
    Regrouped joined{r, {}, 1, {}};
    joined.data.matrix = regroup(matrix, r);
    joined.data.counts = tally(*joined.data.matrix);
    const Blocks blocks = collapse(*joined.data.matrix);
    joined.designEffect = designEffect(blocks);
    Rng rng(seed, kReachStream);
    joined.reach = Reach(blocks, discoveryProbability(*joined.data.matrix, level), rng);
    all.push_back(std::move(joined));
  }
  return all;
}

/// The length of a unit is an arbitrary choice; an estimate that depends on it is no property of
/// the program.
static void tryLongerUnits(TrustedEstimate &entry, const std::vector<Regrouped> &regrouped,
                           const Analysis &analysis) {
  for (const Regrouped &joined : regrouped) {
    NamedEstimate named{entry.named.estimator, estimateOne(entry.named.estimator, joined.data,
                                                           analysis.options.estimators)};
    TrustedEstimate::Regrouping regrouping{joined.r, {}, {}};
    const auto observed = static_cast<double>(joined.data.counts.observed());
    regrouping.estimate = widenedFor(named, observed, joined.designEffect, analysis.atMost);
    extend(regrouping.estimate, named.estimator, joined.reach);
    regrouping.agreement =
        agreement(entry.widened, regrouping.estimate, analysis.options.levels.front());
    if (regrouping.agreement && !regrouping.agreement->overlap)
      lower(entry, Trust::Poor, "another answer for longer units");
    else if (regrouping.agreement && !regrouping.agreement->mutual)
      lower(entry, Trust::Fair, "moves with the length of units");
    entry.regroupings.push_back(std::move(regrouping));
  }
}

void judge(Analysis &analysis, const Incidence &data) {
  const double level = analysis.options.levels.front();
  double least = 0;
  for (const TrustedEstimate &entry : analysis.estimates)
    if (entry.named.estimator == Estimator::Chao2BiasCorrected)
      if (auto interval = entry.widened.interval(level)) least = interval->lower;
  for (TrustedEstimate &entry : analysis.estimates) judgeAlone(entry, analysis, least);
  if (analysis.units && analysis.units->drifts()) heedDrift(analysis.estimates);
  holdAgainstMeasured(analysis);
  if (data.matrix) {
    const std::vector<Regrouped> regrouped =
        regroupings(*data.matrix, level, analysis.options.estimators.seed);
    for (TrustedEstimate &entry : analysis.estimates)
      if (entry.trust < Trust::Poor) tryLongerUnits(entry, regrouped, analysis);
  }
  std::sort(analysis.estimates.begin(), analysis.estimates.end(), [](const auto &a, const auto &b) {
    return std::pair(a.trust, a.named.estimator) < std::pair(b.trust, b.named.estimator);
  });
  if (const TrustedEstimate *known = analysis.measured()) {
    auto place = analysis.estimates.begin() + (known - analysis.estimates.data());
    std::rotate(analysis.estimates.begin(), place, place + 1);
  }
}

} // namespace fathom::estimate
