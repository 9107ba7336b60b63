// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Jackknife.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

/// sum d_k Q_k with the variance sum d_k^2 Q_k - value, which is the delta method's for estimates
/// that are linear in the counts. d_k = 1 beyond the first two.
static Estimate linear(const FrequencyCounts &counts, double d1, double d2, FallbackForm fallback) {
  auto q1 = static_cast<double>(counts.count(1)), q2 = static_cast<double>(counts.count(2));
  double value = static_cast<double>(counts.observed()) + (d1 - 1) * q1 + (d2 - 1) * q2;
  double squares = static_cast<double>(counts.observed()) + (d1 * d1 - 1) * q1 + (d2 * d2 - 1) * q2;
  return logNormalEstimate(counts, value, squares - value, fallback);
}

Estimate jackknife1(const FrequencyCounts &counts, FallbackForm fallback) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  auto t = static_cast<double>(counts.units());
  return linear(counts, 1 + (t - 1) / t, 1, fallback);
}

Estimate jackknife2(const FrequencyCounts &counts, FallbackForm fallback) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  auto t = static_cast<double>(counts.units());
  return linear(counts, 1 + (2 * t - 3) / t, 1 - (t - 2) * (t - 2) / (t * (t - 1)), fallback);
}

double jackknife1Error(const IncidenceMatrix &matrix, HeltsheForrester form) {
  auto t = static_cast<double>(matrix.units());
  std::vector<double> singletons(matrix.units(), 0);
  double q1 = 0, squares = 0;
  for (size_t i = 0; i < matrix.listed(); ++i) {
    if (matrix.row(i).size() != 1) continue;
    singletons[matrix.row(i)[0]]++;
    q1++;
  }
  for (double u : singletons) squares += u * u;
  double sum = squares - (form == HeltsheForrester::Published ? q1 * q1 : q1) / t;
  return std::sqrt((t - 1) / t * sum);
}

static double choose(unsigned n, unsigned k) {
  double result = 1;
  for (unsigned i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// d_j of order m for large t; 1 beyond it.
static double coefficient(unsigned m, unsigned j) {
  if (j > m) return 1;
  return 1 + (j % 2 ? choose(m, j) : -choose(m, j));
}

static double valueOfOrder(const FrequencyCounts &counts, unsigned m) {
  auto value = static_cast<double>(counts.observed());
  for (unsigned j = 1; j <= m; ++j)
    value += (coefficient(m, j) - 1) * static_cast<double>(counts.count(j));
  return value;
}

Estimate jackknifeLargeT(const FrequencyCounts &counts, unsigned order, bool cut) {
  assert(order >= 1 && order <= 10 && "an order whose coefficients are exact");
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  Estimate estimate;
  auto d = static_cast<double>(counts.observed());
  double value = valueOfOrder(counts, order), squares = 0;
  for (auto [k, count] : counts.frequencies()) {
    double c = k <= order ? coefficient(order, static_cast<unsigned>(k)) : 1;
    squares += c * c * static_cast<double>(count);
  }
  estimate.raw = value;
  if (value < d) {
    estimate.reason = "the formula gives fewer than were observed";
    setFallback(estimate, counts, FallbackForm::Sound, Status::BelowObserved);
    return estimate;
  }
  estimate.value = value;
  if (squares - value < 0) {
    estimate.status = Status::VarianceUnavailable;
    estimate.reason = "the variance came out negative";
    return estimate;
  }
  estimate.status = Status::Ok;
  estimate.se = std::sqrt(squares - value);
  estimate.band =
      Band::wald(value, *estimate.se, cut ? d : -std::numeric_limits<double>::infinity());
  return estimate;
}

SelectedJackknife jackknifeSelected(const FrequencyCounts &counts, unsigned largest, bool cut) {
  auto d = static_cast<double>(counts.observed());
  uint64_t highest = counts.observed() ? counts.frequencies().back().first : 1;
  largest = static_cast<unsigned>(std::min<uint64_t>(largest, highest - 1));
  unsigned order = 1;
  for (; order < largest; ++order) {
    double change = valueOfOrder(counts, order + 1) - valueOfOrder(counts, order), squares = 0;
    for (unsigned j = 1; j <= order + 1; ++j) {
      double c = coefficient(order + 1, j) - coefficient(order, j);
      squares += c * c * static_cast<double>(counts.count(j));
    }
    double variance = d > 1 ? d / (d - 1) * (squares - change * change / d) : 0;
    // No change without any spread: a higher order would not differ.
    if (!(variance > 0) || change / std::sqrt(variance) < 1.96) break;
  }
  return {order, jackknifeLargeT(counts, order, cut)};
}

} // namespace fathom::estimate
