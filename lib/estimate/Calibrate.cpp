// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Calibrate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace fathom::estimate {

static constexpr size_t kSize = kFeatures + 1; // with the intercept, which comes last
using Row = std::array<double, kSize>;
using Square = std::array<Row, kSize>;

/// Solves a x = b in place by Cholesky's decomposition. REQUIRES a positive definite.
static Row solve(Square a, Row b) {
  for (size_t i = 0; i < kSize; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  for (size_t i = 0; i < kSize; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (size_t i = kSize; i-- > 0;) {
    for (size_t k = i + 1; k < kSize; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

namespace {
/// A case as the regression takes it.
struct Point {
  Row x{}; ///< standardised, and 1
  double share = 0, weight = 0;
};

struct Standard {
  Row mean{}, deviation{};
};
} // namespace

static std::map<uint32_t, uint32_t> casesOfPrograms(std::span<const CalibrationCase> cases) {
  std::map<uint32_t, uint32_t> count;
  for (const CalibrationCase &c : cases) count[c.program]++;
  return count;
}

static std::vector<Point> standardise(std::span<const CalibrationCase> cases, Standard &standard) {
  std::map<uint32_t, uint32_t> count = casesOfPrograms(cases);
  auto programs = static_cast<double>(count.size());
  for (size_t f = 0; f < kFeatures; ++f) {
    if (!traits(static_cast<Feature>(f)).predicts) continue;
    double squares = 0;
    for (const CalibrationCase &c : cases)
      standard.mean[f] += c.features[f] / count[c.program] / programs;
    for (const CalibrationCase &c : cases)
      squares += (c.features[f] - standard.mean[f]) * (c.features[f] - standard.mean[f]) /
                 count[c.program] / programs;
    // Where nothing varies there is nothing to learn: the standardised feature is 0.
    standard.deviation[f] = squares > 1e-18 ? std::sqrt(squares) : 1;
  }
  std::vector<Point> points;
  for (const CalibrationCase &c : cases) {
    double uncovered = c.elements - c.observed;
    if (uncovered <= 0) continue; // nothing to predict
    Point point;
    for (size_t f = 0; f < kFeatures; ++f)
      if (traits(static_cast<Feature>(f)).predicts)
        point.x[f] = (c.features[f] - standard.mean[f]) / standard.deviation[f];
    point.x[kFeatures] = 1;
    point.share = (c.reachable - c.observed) / uncovered;
    point.weight = uncovered / c.reachable / count[c.program];
    points.push_back(point);
  }
  return points;
}

Calibration::Line fitLine(std::span<const CalibrationCase> cases, double ridge) {
  Standard standard;
  std::vector<Point> points = standardise(cases, standard);
  Row b{};
  auto loss = [&](const Row &at) {
    double sum = 0;
    for (const Point &p : points) {
      double eta = 0;
      for (size_t f = 0; f < kSize; ++f) eta += at[f] * p.x[f];
      // log(1 + e^eta) without overflow
      sum +=
          p.weight * (std::max(eta, 0.0) + std::log1p(std::exp(-std::fabs(eta))) - p.share * eta);
    }
    for (size_t f = 0; f < kFeatures; ++f) sum += ridge / 2 * at[f] * at[f];
    return sum;
  };
  double last = loss(b);
  for (int step = 0; step < 100; ++step) {
    Row gradient{};
    Square curvature{};
    for (size_t f = 0; f < kSize; ++f) curvature[f][f] = 1e-9;
    for (size_t f = 0; f < kFeatures; ++f) {
      gradient[f] = ridge * b[f];
      curvature[f][f] += ridge;
    }
    for (const Point &p : points) {
      double eta = 0;
      for (size_t f = 0; f < kSize; ++f) eta += b[f] * p.x[f];
      double mean = 1 / (1 + std::exp(-eta));
      for (size_t f = 0; f < kSize; ++f) {
        gradient[f] += p.weight * (mean - p.share) * p.x[f];
        for (size_t g = 0; g < kSize; ++g)
          curvature[f][g] += p.weight * mean * (1 - mean) * p.x[f] * p.x[g];
      }
    }
    Row move = solve(curvature, gradient);
    double size = 1, now = last;
    Row next = b;
    for (; size > 1e-6; size /= 2) { // a full step may overshoot
      for (size_t f = 0; f < kSize; ++f) next[f] = b[f] - size * move[f];
      if ((now = loss(next)) <= last) break;
    }
    if (!(now <= last)) break;
    bool isDone = last - now <= 1e-12 * (1 + std::fabs(last));
    b = next;
    last = now;
    if (isDone) break;
  }
  Calibration::Line line;
  line.intercept = b[kFeatures];
  for (size_t f = 0; f < kFeatures; ++f) {
    if (!traits(static_cast<Feature>(f)).predicts) continue;
    line.coefficients[f] = b[f] / standard.deviation[f];
    line.intercept -= line.coefficients[f] * standard.mean[f];
  }
  return line;
}

Calibration fitCalibration(std::span<const CalibrationCase> cases,
                           const CalibrationOptions &options) {
  Calibration calibration;
  std::map<uint32_t, uint32_t> number; // of a program, in the order of appearance
  for (const CalibrationCase &c : cases) number.emplace(c.program, number.size());
  calibration.programs = static_cast<uint32_t>(number.size());
  calibration.shift = options.shift;
  calibration.least = calibration.most = cases.front().features;
  for (const CalibrationCase &c : cases)
    for (size_t f = 0; f < kFeatures; ++f) {
      calibration.least[f] = std::min(calibration.least[f], c.features[f]);
      calibration.most[f] = std::max(calibration.most[f], c.features[f]);
    }
  for (uint32_t fold = 0; fold < options.folds; ++fold) {
    std::vector<CalibrationCase> others;
    for (const CalibrationCase &c : cases)
      if (number[c.program] % options.folds != fold) others.push_back(c);
    calibration.folds.push_back(fitLine(others, options.ridge));
  }
  for (const CalibrationCase &c : cases) {
    uint32_t program = number[c.program], fold = program % options.folds;
    double y = calibrationTarget(c.observed, c.elements, c.reachable);
    const double uncovered = c.elements - c.observed;
    calibration.scores.push_back({program, fold, y - calibration.folds[fold].at(c.features),
                                  uncovered > 0 ? (c.reachable - c.observed) / uncovered : 1,
                                  uncovered / c.reachable});
  }
  return calibration;
}

std::string calibrationText(const Calibration &calibration) {
  auto list = [](const CampaignFeatures &numbers) {
    std::string text;
    for (double number : numbers) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", number);
    return text;
  };
  std::string out =
      "// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n"
      "// Written by bench/estimate (calibrate); Calibration.h says what the numbers mean.\n";
  out += fmt::format("FATHOM_CALIBRATION_PROGRAMS({})\n", calibration.programs);
  out += fmt::format("FATHOM_CALIBRATION_SHIFT({:.6g})\n", calibration.shift);
  out += "// The order of features is that of CampaignFeatures.def.\n";
  out += fmt::format("FATHOM_CALIBRATION_LEAST({})\n", list(calibration.least));
  out += fmt::format("FATHOM_CALIBRATION_MOST({})\n", list(calibration.most));
  out += "// Intercept and coefficients.\n";
  for (const Calibration::Line &line : calibration.folds)
    out += fmt::format("FATHOM_CALIBRATION_FOLD({:.6g}, {})\n", line.intercept,
                       list(line.coefficients));
  out +=
      "// Program, fold and score of each campaign; the reachable share of its uncovered elements, "
      "and its weight.\n";
  for (const Calibration::Score &score : calibration.scores)
    out += fmt::format("FATHOM_CALIBRATION_SCORE({}, {}, {:.6g}, {:.6g}, {:.6g})\n", score.program,
                       score.fold, score.value, score.share, score.weight);
  for (const char *name : {"PROGRAMS", "SHIFT", "LEAST", "MOST", "FOLD", "SCORE"})
    out += fmt::format("#undef FATHOM_CALIBRATION_{}\n", name);
  return out;
}

} // namespace fathom::estimate
