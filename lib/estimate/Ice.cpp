// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Ice.h"

#include "estimate/Chao2.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

namespace {

/// The quantities of the header's table, and their derivatives by Q_k.
struct Model {
  Model(const FrequencyCounts &counts, const IceOptions &options)
      : t(static_cast<double>(options.units.value_or(counts.units()))),
        q1(static_cast<double>(counts.count(1))), q2(static_cast<double>(counts.count(2))),
        exact(options.exactGradientWithoutDoubletons) {
    for (auto [k, count] : counts.frequencies()) {
      auto y = static_cast<double>(k), q = static_cast<double>(count);
      if (k > options.cutoff) {
        frequent += q;
        continue;
      }
      infrequent += q;
      n += y * q;
      s += y * (y - 1) * q;
    }
    double missed = 1; // A
    if (q1 > 0 && q2 > 0)
      missed = 2 * q2 / ((t - 1) * q1 + 2 * q2);
    else if (q1 > 0)
      missed = 2 / ((t - 1) * (q1 - 1) + 2);
    coverage = n > 0 ? 1 - q1 / n * (1 - missed) : 1;
    m = n > 1 ? t / (t - 1) * s / (n * (n - 1)) : 0;
    gamma2 = std::max(infrequent / coverage * m - 1, 0.0);
  }

  double mDerivative(double k) const {
    if (n <= 1) return 0;
    double nn = n * (n - 1);
    return t / (t - 1) * (k * (k - 1) / nn - s * k * (2 * n - 1) / (nn * nn));
  }

  double coverageDerivative(double k) const {
    if (q1 == 0) return 0;
    if (q2 == 0 && exact) {
      double u = (t - 1) * (q1 - 1);
      if (k == 1)
        return -(u / (u + 2) * (n - q1) / (n * n) + q1 / n * 2 * (t - 1) / ((u + 2) * (u + 2)));
      return k * q1 * u / (n * n * (u + 2));
    }
    double den = (t - 1) * q1 + 2 * q2, top = (t - 1) * q1 * q1;
    double square = n * den * n * den;
    if (k == 1) return -(2 * (t - 1) * q1 * n * den - top * ((t - 1) * n + den)) / square;
    if (k == 2) return 2 * top * (den + n) / square;
    return k * top * den / square;
  }

  /// Derivative of D_r/C + (Q1/C) gamma^2 by Q_k, k <= k0.
  double iceDerivative(double k) const {
    double c = coverage, ck = coverageDerivative(k), one = k == 1 ? 1 : 0;
    double d = 1 / c - infrequent * ck / (c * c);
    if (gamma2 <= 0) return d;
    double h = q1 * infrequent * m / (c * c);
    double hk = (one * infrequent * m + q1 * m + q1 * infrequent * mDerivative(k)) / (c * c) -
                2 * h * ck / c;
    double gk = one / c - q1 * ck / (c * c);
    return d + hk - gk;
  }

  /// What ICE1 adds: the derivative of (Q1/C) (gamma1^2 - gamma^2) = V - W.
  double ice1Addition(double k) const {
    if (gamma2 <= 0) return 0;
    double c = coverage, ck = coverageDerivative(k), one = k == 1 ? 1 : 0, mk = mDerivative(k);
    double v = q1 * q1 * infrequent * m * m / (c * c * c);
    double vk =
        (2 * one * q1 * infrequent * m * m + q1 * q1 * m * m + 2 * q1 * q1 * infrequent * m * mk) /
            (c * c * c) -
        3 * v * ck / c;
    double w = q1 * q1 * m / (c * c);
    double wk = (2 * one * q1 * m + q1 * q1 * mk) / (c * c) - 2 * w * ck / c;
    return vk - wk;
  }

  double t, q1, q2;
  bool exact;
  double infrequent = 0, frequent = 0, n = 0, s = 0, coverage = 1, m = 0, gamma2 = 0;
};

} // namespace

static Estimate coverageBased(const FrequencyCounts &counts, const IceOptions &options, bool ice1) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  Model model(counts, options);
  if (model.t <= 1) {
    Estimate estimate;
    estimate.status = Status::InsufficientUnits;
    estimate.raw = estimate.value = static_cast<double>(counts.observed());
    estimate.reason = "all infrequent elements are in one sampling unit";
    return estimate;
  }
  double spread = model.gamma2;
  if (ice1) spread = std::max(spread * (1 + model.q1 / model.coverage * model.m), 0.0);
  double value =
      model.frequent + model.infrequent / model.coverage + model.q1 / model.coverage * spread;
  auto derivative = [&](uint64_t k) {
    if (k > options.cutoff) return 1.0;
    auto y = static_cast<double>(k);
    return model.iceDerivative(y) + (ice1 ? model.ice1Addition(y) : 0);
  };
  return logNormalEstimate(counts, value, deltaVariance(counts, value, derivative),
                           options.fallback);
}

Estimate ice(const FrequencyCounts &counts, const IceOptions &options) {
  return coverageBased(counts, options, /*ice1=*/false);
}

Estimate ice1(const FrequencyCounts &counts, const IceOptions &options) {
  return coverageBased(counts, options, /*ice1=*/true);
}

double infrequentVariation(const FrequencyCounts &counts, uint64_t cutoff) {
  if (counts.units() <= 1 || counts.observed() == 0) return 0;
  IceOptions options;
  options.cutoff = cutoff;
  return std::sqrt(Model(counts, options).gamma2);
}

Estimate iceEstimateS(const FrequencyCounts &counts, uint64_t infrequentUnits,
                      IceDenominator denominator, uint64_t cutoff) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  IceOptions options;
  options.cutoff = cutoff;
  Model model(counts, options);
  if (model.n > 0 && model.q1 == model.n) {
    Estimate estimate = chao2BiasCorrected(counts);
    estimate.reason = "every infrequent element is in one unit: chao2_bc";
    return estimate;
  }
  Estimate estimate;
  estimate.status = Status::VarianceUnavailable;
  estimate.reason = "this form has no standard error";
  double value = model.frequent;
  if (model.n > 0) {
    auto t = static_cast<double>(infrequentUnits);
    double coverage = 1 - model.q1 / model.n;
    double pairs = model.n * (denominator == IceDenominator::Square ? model.n : model.n - 1);
    double gamma2 =
        t > 1 ? std::max(model.infrequent / coverage * t / (t - 1) * model.s / pairs - 1, 0.0) : 0;
    value += model.infrequent / coverage + model.q1 / coverage * gamma2;
  }
  estimate.raw = estimate.value = value;
  return estimate;
}

} // namespace fathom::estimate
