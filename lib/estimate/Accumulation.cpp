// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Accumulation.h"

#include "estimate/Chao2.h"
#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fathom::estimate {

double unseenByChao2(const FrequencyCounts &counts) {
  return chao2(counts).value.value_or(0) - static_cast<double>(counts.observed());
}

double expectedNew(const FrequencyCounts &counts, uint64_t units) {
  double unseen = unseenByChao2(counts);
  if (unseen <= 0) return 0;
  auto t = static_cast<double>(counts.units()), q1 = static_cast<double>(counts.count(1));
  return -unseen * std::expm1(static_cast<double>(units) * std::log1p(-q1 / (t * unseen + q1)));
}

double accumulated(const FrequencyCounts &counts, uint64_t units) {
  auto d = static_cast<double>(counts.observed());
  if (units >= counts.units()) return d + expectedNew(counts, units - counts.units());
  // An element is missed with probability C(t - k, m) / C(t, m).
  auto t = static_cast<double>(counts.units()), m = static_cast<double>(units);
  double all = std::lgamma(t + 1) - std::lgamma(t - m + 1);
  for (auto [k, count] : counts.frequencies()) {
    if (k + units > counts.units()) break; // cannot be missed
    double rest = t - static_cast<double>(k);
    d -= static_cast<double>(count) *
         std::exp(std::lgamma(rest + 1) - std::lgamma(rest - m + 1) - all);
  }
  return d;
}

std::optional<double> unitsToReach(const FrequencyCounts &counts, double share) {
  auto d = static_cast<double>(counts.observed());
  double unseen = unseenByChao2(counts);
  double missing = share * (d + unseen) - d;
  if (missing <= 0) return 0;
  if (missing >= unseen) return std::nullopt;
  auto t = static_cast<double>(counts.units()), q1 = static_cast<double>(counts.count(1));
  return std::log1p(-missing / unseen) / std::log1p(-q1 / (t * unseen + q1));
}

Estimate CurvePoint::asEstimate(double floor) const {
  Estimate estimate;
  estimate.status = Status::Ok;
  estimate.value = estimate.raw = value;
  estimate.se = se;
  estimate.band = Band::wald(value, se, floor);
  return estimate;
}

namespace {
/// Elements of one detection probability.
struct Class {
  double probability;
  uint64_t elements;
};
} // namespace

static std::vector<Class> classesOf(const FrequencyCounts &counts) {
  auto t = static_cast<double>(counts.units()), q1 = static_cast<double>(counts.count(1));
  double unseen = unseenByChao2(counts);
  // The expected number of new elements in a unit is taken off the observed elements'
  // probabilities, most off the rare ones, and given to the unseen.
  double mass = unseen > 0 ? q1 / t * (t * unseen / (t * unseen + q1)) : 0, rest = 0;
  auto share = [&](double k) { return k / t * (k >= t ? 0 : std::exp(t * std::log1p(-k / t))); };
  for (auto [k, count] : counts.frequencies())
    rest += static_cast<double>(count) * share(static_cast<double>(k));
  double weight = rest > 0 ? std::min(1.0, mass / rest) : 0;
  std::vector<Class> classes;
  for (auto [k, count] : counts.frequencies()) {
    auto y = static_cast<double>(k);
    classes.push_back({y / t - weight * share(y), count});
  }
  if (unseen > 0) {
    double number = std::ceil(unseen);
    classes.push_back({mass / number, static_cast<uint64_t>(number)});
  }
  return classes;
}

/// How often each frequency comes out when `elements` elements are drawn.
static void drawClass(const Class &c, uint64_t t, std::map<uint64_t, uint64_t> &counts, Rng &rng) {
  auto units = static_cast<double>(t);
  uint64_t left = c.elements;
  if (left < 64 || units * c.probability > 50) {
    for (; left > 0; --left) counts[binomial(t, c.probability, rng)]++;
    return;
  }
  // One number for each frequency, from the conditional distributions.
  double p = std::exp(units * std::log1p(-c.probability)),
         odds = c.probability / (1 - c.probability);
  double rest = 1;
  for (uint64_t y = 0; left > 0 && y <= t; ++y) {
    uint64_t here = y == t || rest <= p ? left : binomial(left, p / rest, rng);
    if (here) counts[y] += here;
    left -= here;
    rest -= p;
    p *= odds * static_cast<double>(t - y) / static_cast<double>(y + 1);
  }
}

static FrequencyCounts drawFrom(const std::vector<Class> &classes, uint64_t t, Rng &rng) {
  std::map<uint64_t, uint64_t> drawn;
  for (const Class &c : classes) drawClass(c, t, drawn, rng);
  drawn.erase(0);
  return *FrequencyCounts::make(t, {drawn.begin(), drawn.end()});
}

FrequencyCounts drawCampaign(const FrequencyCounts &counts, Rng &rng) {
  return drawFrom(classesOf(counts), counts.units(), rng);
}

std::vector<CurvePoint> accumulationCurve(const FrequencyCounts &counts,
                                          std::span<const uint64_t> at, unsigned replicates,
                                          Rng &rng) {
  std::vector<CurvePoint> curve;
  for (uint64_t units : at) curve.push_back({units, accumulated(counts, units), 0});
  if (replicates < 2 || counts.observed() == 0) return curve;
  std::vector<Class> classes = classesOf(counts);
  std::vector<double> sum(at.size(), 0), squares(at.size(), 0);
  for (unsigned r = 0; r < replicates; ++r) {
    FrequencyCounts drawn = drawFrom(classes, counts.units(), rng);
    for (size_t i = 0; i < at.size(); ++i) {
      double off = accumulated(drawn, at[i]) - curve[i].value; // around it: keeps the digits
      sum[i] += off;
      squares[i] += off * off;
    }
  }
  double n = replicates;
  for (size_t i = 0; i < at.size(); ++i)
    curve[i].se = std::sqrt(std::max(0.0, squares[i] - sum[i] * sum[i] / n) / (n - 1));
  return curve;
}

Estimate expectedNewEstimate(const FrequencyCounts &counts, uint64_t units, unsigned replicates,
                             Rng &rng) {
  Estimate estimate;
  double value = expectedNew(counts, units);
  estimate.raw = estimate.value = value;
  if (counts.units() <= 1 && counts.observed() > 0)
    return notEstimable("one sampling unit tells nothing about what is missing; use smaller units");
  if (value <= 0) {
    estimate.status = Status::Fallback;
    estimate.reason = "nothing in the data tells of elements that are missing";
    return estimate;
  }
  std::vector<Class> classes = classesOf(counts);
  double sum = 0, squares = 0;
  for (unsigned r = 0; r < replicates; ++r) {
    double off = expectedNew(drawFrom(classes, counts.units(), rng), units) - value;
    sum += off;
    squares += off * off;
  }
  double n = replicates;
  double variance = replicates > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
  if (!(variance > 0)) {
    estimate.status = Status::VarianceUnavailable;
    estimate.reason = "the resamples do not differ";
    return estimate;
  }
  estimate.status = Status::Ok;
  estimate.se = std::sqrt(variance);
  estimate.band = Band::logNormal(0, value, variance);
  return estimate;
}

} // namespace fathom::estimate
