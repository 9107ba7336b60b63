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
#define FATHOM_CALIBRATION_SCORE(PROGRAM, FOLD, VALUE)                                             \
  calibration.scores.push_back({PROGRAM, FOLD, VALUE});
#include "estimate/Calibration.def"
    return calibration;
  }();
  return builtin;
}

double Calibration::Line::at(const CampaignFeatures &x) const {
  double sum = intercept;
  for (size_t f = 0; f < kFeatures; ++f) sum += coefficients[f] * x[f];
  return sum;
}

std::optional<Feature> Calibration::outside(const CampaignFeatures &x) const {
  for (size_t f = 0; f < kFeatures; ++f) {
    auto feature = static_cast<Feature>(f);
    double margin = traits(feature).margin;
    // Of a program smaller than all of the calibration's there is too little to judge by.
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

/// What the calibrated estimator cannot do without. "" when all is there.
static std::string missing(const Incidence &data, const Calibration &calibration) {
  if (!data.matrix) return "needs the matrix: which units cover an element";
  if (data.counts.observed() == 0) return "nothing was covered";
  if (data.matrix->units() < kLeastUnits)
    return fmt::format("needs {} units, there are {}: go on, or begin with shorter ones",
                       kLeastUnits, data.matrix->units());
  return calibration.empty() ? "there is no calibration" : "";
}

Estimate calibrated(const Incidence &data, std::optional<double> most,
                    const Calibration &calibration) {
  if (std::string reason = missing(data, calibration); !reason.empty()) return notEstimable(reason);
  auto observed = static_cast<double>(data.counts.observed());
  double elements = most.value_or(static_cast<double>(data.matrix->listed()));
  if (elements < observed)
    return notEstimable(
        fmt::format("at most {} elements, but {} were covered", elements, observed));
  if (elements == observed) {
    if (!most) // the matrix need not list what was not covered
      return notEstimable(
          "needs the elements that were not covered too, or how many there are (--at-most)");
    Estimate estimate;
    estimate.status = Status::Fallback;
    estimate.value = estimate.raw = observed;
    estimate.band = Band::wald(observed, 0, observed);
    estimate.reason = "all elements are covered";
    return estimate;
  }
  CampaignFeatures x = campaignFeatures(*data.matrix, elements);
  if (std::optional<Feature> feature = calibration.outside(x)) {
    auto f = static_cast<size_t>(*feature);
    return notEstimable(fmt::format(
        "unlike the calibration's campaigns: {} is {:.2f}, there it was {:.2f} to {:.2f}",
        traits(*feature).text, x[f], calibration.least[f], calibration.most[f]));
  }

  std::vector<uint32_t> cases(calibration.programs, 0);
  for (const Calibration::Score &score : calibration.scores) cases[score.program]++;
  std::vector<double> predictions;
  for (const Calibration::Line &line : calibration.folds) predictions.push_back(line.at(x));
  std::vector<Band::Weighted> outcomes;
  double each = 1 / (static_cast<double>(calibration.programs) + 1);
  for (const Calibration::Score &score : calibration.scores)
    outcomes.push_back({reachableFrom(predictions[score.fold] + score.value, observed, elements),
                        each / static_cast<double>(cases[score.program])});
  Estimate estimate;
  estimate.status = Status::Ok;
  estimate.band = Band::predictive(std::move(outcomes), observed, elements, calibration.shift);
  Interval middle = estimate.band.at(0);
  estimate.value = estimate.raw = (middle.lower + middle.upper) / 2;
  return estimate;
}

} // namespace fathom::estimate
