// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Calibration.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fathom::estimate {

const Calibration &builtinCalibration() {
  static const Calibration builtin = [] {
    Calibration calibration;
#define FATHOM_CALIBRATION_PROGRAMS(COUNT) calibration.programs = COUNT;
#define FATHOM_CALIBRATION_SHIFT(ODDS) calibration.shift = ODDS;
#define FATHOM_CALIBRATION_LEAST(...) calibration.least = {__VA_ARGS__};
#define FATHOM_CALIBRATION_MOST(...) calibration.most = {__VA_ARGS__};
#define FATHOM_CALIBRATION_FOLD(INTERCEPT, ...)                                                    \
  calibration.folds.push_back({INTERCEPT, {__VA_ARGS__}});
#define FATHOM_CALIBRATION_SCORE(PROGRAM, FOLD, VALUE, SHARE, WEIGHT)                              \
  calibration.scores.push_back({PROGRAM, FOLD, VALUE, SHARE, WEIGHT});
#include "estimate/Calibration.def"
    return calibration;
  }();
  return builtin;
}

double Calibration::Line::at(const CampaignFeatures &x) const {
  double sum = intercept;
  for (size_t f = 0; f < kFeatures; ++f)
    if (traits(static_cast<Feature>(f)).predicts) sum += coefficients[f] * x[f];
  return sum;
}

/// The number of campaigns of each program.
static std::vector<uint32_t> campaignsPerProgram(const Calibration &calibration) {
  std::vector<uint32_t> count(calibration.programs, 0);
  for (const Calibration::Score &score : calibration.scores) count[score.program]++;
  return count;
}

double Calibration::share() const {
  const std::vector<uint32_t> count = campaignsPerProgram(*this);
  double sum = 0, all = 0;
  for (const Score &score : scores) {
    sum += score.weight * score.share / count[score.program];
    all += score.weight / count[score.program];
  }
  return sum / all;
}

std::vector<Band::Weighted>
Calibration::weighted(const std::function<double(const Score &)> &outcome) const {
  const std::vector<uint32_t> count = campaignsPerProgram(*this);
  const double each = 1 / (static_cast<double>(programs) + 1);
  std::vector<Band::Weighted> outcomes;
  for (const Score &score : scores)
    outcomes.push_back({outcome(score), each / static_cast<double>(count[score.program])});
  return outcomes;
}

std::optional<Feature> Calibration::outside(const CampaignFeatures &x) const {
  for (size_t f = 0; f < kFeatures; ++f) {
    auto feature = static_cast<Feature>(f);
    double margin = traits(feature).margin;
    if (isUnknown(x[f]) || isUnknown(least[f])) continue;
    // No margin below the smallest program of the calibration: a smaller one tells too little.
    const double below = feature == Feature::Elements ? 0 : margin;
    if (!(x[f] >= least[f] - below && x[f] <= most[f] + margin)) return feature;
  }
  return std::nullopt;
}

double calibrationTarget(double observed, double elements, double reachable) {
  return std::log((reachable - observed + 0.5) / (elements - reachable + 0.5));
}

double reachableFrom(double y, double observed, double elements) {
  double share = 1 / (1 + std::exp(-y));
  return std::clamp((elements + 0.5) * share + (observed - 0.5) * (1 - share), observed, elements);
}

KnownElements knownElements(const Incidence &data, std::optional<double> most) {
  KnownElements known;
  const auto observed = static_cast<double>(data.counts.observed());
  known.elements =
      most.value_or(data.matrix ? static_cast<double>(data.matrix->listed()) : observed);
  if (observed == 0) {
    known.instead = notEstimable("nothing was covered");
  } else if (known.elements < observed) {
    known.instead = notEstimable(
        fmt::format("at most {} elements, but {} were covered", known.elements, observed));
  } else if (known.elements == observed && !most) { // a matrix need not list what was not covered
    known.instead = notEstimable(
        "needs the elements that were not covered too, or how many there are (--at-most)");
  } else if (known.elements == observed) {
    Estimate estimate;
    estimate.status = Status::Fallback;
    estimate.value = estimate.raw = observed;
    estimate.band = Band::wald(observed, 0, observed);
    estimate.reason = "all elements are covered";
    known.instead = std::move(estimate);
  }
  return known;
}

/// What the calibrated estimator cannot do without. "" when all is there.
static std::string missing(const Incidence &data, const Calibration &calibration) {
  if (!data.matrix) return "needs the matrix: which units cover an element";
  if (data.counts.observed() == 0) return "nothing was covered";
  if (data.matrix->units() < kLeastUnits)
    return fmt::format("needs {} units, there are {}: go on, or begin with shorter ones",
                       kLeastUnits, data.matrix->units());
  return calibration.empty() ? "there is no calibration" : "";
}

/// How people read it.
static std::string readable(Feature feature, double value) {
  return feature == Feature::Executions ? fmt::format("{:.0f}", std::exp(value))
                                        : fmt::format("{:.2f}", value);
}

Estimate calibrated(const Incidence &data, std::optional<double> most,
                    const Calibration &calibration) {
  if (std::string reason = missing(data, calibration); !reason.empty()) return notEstimable(reason);
  KnownElements known = knownElements(data, most);
  if (known.instead) return *known.instead;
  const auto observed = static_cast<double>(data.counts.observed());
  const double elements = known.elements;
  CampaignFeatures x = campaignFeatures(*data.matrix, elements);
  if (std::optional<Feature> feature = calibration.outside(x)) {
    auto f = static_cast<size_t>(*feature);
    return notEstimable(fmt::format(
        "unlike the calibration's campaigns: {} is {}, there it was {} to {}",
        traits(*feature).text, readable(*feature, x[f]), readable(*feature, calibration.least[f]),
        readable(*feature, calibration.most[f])));
  }

  std::vector<double> predictions;
  for (const Calibration::Line &line : calibration.folds) predictions.push_back(line.at(x));
  std::vector<Band::Weighted> outcomes = calibration.weighted([&](const Calibration::Score &score) {
    return reachableFrom(predictions[score.fold] + score.value, observed, elements);
  });
  Estimate estimate;
  estimate.status = Status::Ok;
  estimate.band = Band::predictive(std::move(outcomes), observed, elements, calibration.shift);
  Interval middle = estimate.band.at(0);
  estimate.value = estimate.raw = (middle.lower + middle.upper) / 2;
  return estimate;
}

} // namespace fathom::estimate
