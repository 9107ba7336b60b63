// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/CoverageRate.h"

#include <cmath>

namespace fathom::estimate {

double rarefiedSingletons(const FrequencyCounts &counts, uint64_t m) {
  // k C(t-k, m-1) / C(t, m) for an element in k units.
  auto t = static_cast<double>(counts.units()), chosen = static_cast<double>(m);
  double all = std::lgamma(t + 1) - std::lgamma(chosen + 1) - std::lgamma(t - chosen + 1);
  double sum = 0;
  for (auto [k, count] : counts.frequencies()) {
    if (k + m - 1 > counts.units()) break;
    auto y = static_cast<double>(k);
    if (counts.units() > 1000000000) { // factorials of so many lose their digits
      sum += static_cast<double>(count) * y * chosen / t *
             (k == 1 ? 1 : std::exp((y - 1) * std::log1p(-chosen / t)));
      continue;
    }
    double ways = std::lgamma(t - y + 1) - std::lgamma(chosen) - std::lgamma(t - y - chosen + 2);
    sum += static_cast<double>(count) * y * std::exp(ways - all);
  }
  return sum;
}

double RateTrend::expectedNew(double more) const {
  auto t = static_cast<double>(units);
  double growth = std::log1p(more / t);
  // The integral of rate (x/t)^-beta from t to t + more.
  if (std::fabs(1 - exponent) < 1e-9) return rate * t * growth;
  return rate * t * std::expm1((1 - exponent) * growth) / (1 - exponent);
}

std::optional<double> RateTrend::asymptote() const {
  if (exponent <= 1) return std::nullopt;
  return static_cast<double>(observed) + rate * static_cast<double>(units) / (exponent - 1);
}

std::optional<RateTrend> rateTrend(const FrequencyCounts &counts) {
  if (counts.units() < 8 || counts.count(1) == 0) return std::nullopt;
  constexpr int kPlaces = 24;
  auto t = static_cast<double>(counts.units());
  std::vector<double> x, y;
  uint64_t last = 0;
  for (int i = 0; i < kPlaces; ++i) {
    auto m = static_cast<uint64_t>(std::llround(t * std::pow(0.25, 1 - i / (kPlaces - 1.0))));
    if (m == last) continue;
    last = m;
    x.push_back(std::log(static_cast<double>(m) / t));
    y.push_back(std::log(rarefiedSingletons(counts, m) / static_cast<double>(m)));
  }
  auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0, squares = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / n;
    my += y[i] / n;
  }
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  RateTrend trend;
  trend.units = counts.units();
  trend.observed = counts.observed();
  trend.exponent = -xy / xx;
  trend.rate = std::exp(my + trend.exponent * mx); // at x = 0
  for (size_t i = 0; i < x.size(); ++i) {
    double off = y[i] - (my - trend.exponent * (x[i] - mx));
    squares += off * off;
  }
  trend.residual = std::sqrt(squares / n);
  return trend;
}

} // namespace fathom::estimate
