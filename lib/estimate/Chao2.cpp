// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Chao2.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

namespace {

struct ValueAndVariance {
  double value, variance;
};

/// The counts that the formulas speak of, as real numbers.
struct Counts {
  explicit Counts(const FrequencyCounts &counts)
      : t(static_cast<double>(counts.units())), d(static_cast<double>(counts.observed())),
        q1(static_cast<double>(counts.count(1))), q2(static_cast<double>(counts.count(2))),
        q3(static_cast<double>(counts.count(3))), q4(static_cast<double>(counts.count(4))) {}
  double t, d, q1, q2, q3, q4;
};

} // namespace

static ValueAndVariance withoutDoubletons(const Counts &c, double a) {
  double unseen = a * c.q1 * (c.q1 - 1) / 2, value = c.d + unseen;
  return {value, unseen + a * a * c.q1 * (2 * c.q1 - 1) * (2 * c.q1 - 1) / 4 -
                     a * a * c.q1 * c.q1 * c.q1 * c.q1 / (4 * value)};
}

/// a: the small-sample factor, 1 in the classic form; it stays where Q2 = 0.
static ValueAndVariance chao2Of(const Counts &c, bool smallSampleFactor) {
  double a = (c.t - 1) / c.t;
  if (c.q1 > 0 && c.q2 > 0) {
    if (!smallSampleFactor) a = 1;
    double r = c.q1 / c.q2;
    return {c.d + a * c.q1 * c.q1 / (2 * c.q2),
            c.q2 * (a * r * r / 2 + a * a * r * r * r + a * a * r * r * r * r / 4)};
  }
  if (c.q1 > 1) return withoutDoubletons(c, a);
  return {c.d, 0};
}

Estimate chao2(const FrequencyCounts &counts, const Chao2Options &options) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  ValueAndVariance v = chao2Of(Counts(counts), options.smallSampleFactor);
  return logNormalEstimate(counts, v.value, v.variance, options.fallback);
}

Estimate chao2BiasCorrected(const FrequencyCounts &counts, const Chao2Options &options) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  Counts c(counts);
  double a = (c.t - 1) / c.t, pairs = c.q1 * (c.q1 - 1), more = c.q2 + 1;
  double value = c.d + a * pairs / (2 * more);
  double variance = a * pairs / (2 * more) +
                    a * a * c.q1 * (2 * c.q1 - 1) * (2 * c.q1 - 1) / (4 * more * more) +
                    a * a * c.q2 * pairs * pairs / (4 * more * more * more * more);
  if (!options.smallSampleFactor && c.q2 == 0 && c.q1 > 1)
    variance = withoutDoubletons(c, a).variance;
  return logNormalEstimate(counts, value, variance, options.fallback);
}

// The gradients below are of Chao2 (with d1, d2), of the second-order term
// b Q3/(4 Q4) (Q1 - g Q2 Q3/(2 Q4)), or of both.

static double correctedVariance(const FrequencyCounts &counts, const Counts &c, double value) {
  double a = (c.t - 1) / c.t, b = (c.t - 3) / c.t, g = (c.t - 3) / (c.t - 1);
  double q4 = std::max(c.q4, 1.0), ratio = c.q3 / q4;
  double e[5] = {};
  e[1] = (c.q2 > 0 ? a * c.q1 / c.q2 : a * (2 * c.q1 - 1) / 2) + b * ratio / 4;
  if (c.q2 > 0) e[2] = -a * c.q1 * c.q1 / (2 * c.q2 * c.q2) - b * g * ratio * ratio / 8;
  e[3] = b * (c.q1 / (4 * q4) - g * c.q2 * ratio / (4 * q4));
  if (c.q4 > 0) e[4] = b * (-c.q1 * ratio / (4 * q4) + g * c.q2 * ratio * ratio / (4 * q4));
  return deltaVariance(counts, value, [&](uint64_t k) { return 1 + (k <= 4 ? e[k] : 0); });
}

static double packageVariance(const FrequencyCounts &counts, const Counts &c, double value) {
  double a = (c.t - 1) / c.t, b = (c.t - 3) / c.t, g = (c.t - 3) / (c.t - 1);
  double q4 = std::max(c.q4, 1.0), ratio = c.q3 / q4;
  double d[5] = {};
  if (c.q1 > 0 && c.q2 > 0) {
    d[1] = a * c.q1 / c.q2 - b * ratio / 4;
    d[2] = a * c.q1 * c.q1 / (2 * c.q2 * c.q2) - b * g * ratio * ratio / 8;
    d[3] = b * c.q1 / (4 * q4);
    d[4] = -b * c.q1 * ratio / (4 * q4) + b * g * c.q2 * ratio * ratio / (4 * q4);
  } else if (c.q1 > 1) {
    d[1] = a * (2 * c.q1 - 1) / 2 + b * ratio / 4;
    d[2] = -a * c.q1 * (c.q1 - 1) / 2;
    d[3] = b * c.q1 / (4 * q4);
    d[4] = -b * c.q1 * ratio / (4 * q4);
  }
  return deltaVariance(counts, value, [&](uint64_t k) { return d[k]; }, /*cutoff=*/4);
}

Estimate iChao2(const FrequencyCounts &counts, IChao2Variance form, FallbackForm fallback) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  Counts c(counts);
  ValueAndVariance first = chao2Of(c, /*smallSampleFactor=*/true);
  double b = (c.t - 3) / c.t, g = (c.t - 3) / (c.t - 1), q4 = std::max(c.q4, 1.0);
  double second = c.q1 - g * c.q2 * c.q3 / (2 * q4);
  // With three units or fewer there is no second order.
  bool applies = c.t > 3 && second > 0 && c.q3 > 0;
  double value = first.value + (applies ? b * c.q3 / (4 * q4) * second : 0);
  double variance = first.variance;
  if (form == IChao2Variance::DeltaCorrected) {
    if (applies) variance = correctedVariance(counts, c, value);
  } else {
    // The package's own test, which lets its form in when Q3 = 0, too.
    bool own =
        (c.q4 > 0 && c.q1 - g * c.q2 * c.q3 / (2 * c.q4) > 0) || c.q1 - g * c.q2 * c.q3 / 2 > 0;
    if (own) variance = packageVariance(counts, c, value);
  }
  return logNormalEstimate(counts, value, variance, fallback);
}

} // namespace fathom::estimate
