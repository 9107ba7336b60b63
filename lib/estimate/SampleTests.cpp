// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/SampleTests.h"

#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

namespace fathom::estimate {

namespace {
struct Moments {
  double n, mean, variance; ///< variance with n - 1
};
} // namespace

static Moments momentsOf(std::span<const double> sample) {
  Moments m{static_cast<double>(sample.size()), 0, 0};
  for (double x : sample) m.mean += x / m.n;
  for (double x : sample) m.variance += (x - m.mean) * (x - m.mean) / (m.n - 1);
  return m;
}

static std::vector<double> sorted(std::span<const double> sample) {
  std::vector<double> result(sample.begin(), sample.end());
  std::sort(result.begin(), result.end());
  return result;
}

Interval WelchTest::interval(double level) const {
  double half = standardError > 0 ? studentCriticalValue(level, freedom) * standardError : 0;
  return {difference - half, difference + half};
}

std::optional<WelchTest> welchTest(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  Moments x = momentsOf(a), y = momentsOf(b);
  double vx = x.variance / x.n, vy = y.variance / y.n;
  WelchTest test;
  test.difference = x.mean - y.mean;
  test.standardError = std::sqrt(vx + vy);
  if (test.standardError == 0) {
    test.p = test.difference == 0 ? 1 : 0;
    return test;
  }
  test.statistic = test.difference / test.standardError;
  test.freedom = (vx + vy) * (vx + vy) / (vx * vx / (x.n - 1) + vy * vy / (y.n - 1));
  test.p = studentTwoSided(test.statistic, test.freedom);
  return test;
}

/// The probabilities of U = 0 .. m n when both samples are of one distribution: the coefficients of
/// the Gaussian binomial, divided by their sum.
static std::vector<double> exactDistribution(size_t m, size_t n) {
  std::vector<double> ways(m * n + 1, 0);
  ways[0] = 1;
  for (size_t i = 1; i <= m; ++i) {
    for (size_t u = ways.size(); u-- > n + i;) ways[u] -= ways[u - n - i];
    for (size_t u = i; u < ways.size(); ++u) ways[u] += ways[u - i];
  }
  double all = std::accumulate(ways.begin(), ways.end(), 0.0);
  for (double &w : ways) w /= all;
  return ways;
}

std::optional<MannWhitneyTest> mannWhitneyTest(std::span<const double> a,
                                               std::span<const double> b) {
  if (a.empty() || b.empty()) return std::nullopt;
  std::vector<std::pair<double, bool>> all; // value, is of a
  for (double x : a) all.emplace_back(x, true);
  for (double x : b) all.emplace_back(x, false);
  std::sort(all.begin(), all.end());
  auto m = static_cast<double>(a.size()), n = static_cast<double>(b.size()), both = m + n;
  double ranks = 0, ties = 0;
  for (size_t i = 0; i < all.size();) {
    size_t j = i;
    double ofA = 0;
    for (; j < all.size() && all[j].first == all[i].first; ++j) ofA += all[j].second;
    auto group = static_cast<double>(j - i);
    ranks += ofA * (static_cast<double>(i + j) + 1) / 2;
    ties += group * group * group - group;
    i = j;
  }
  MannWhitneyTest test;
  test.u = ranks - m * (m + 1) / 2;
  test.effect = test.u / (m * n);
  double variance = m * n / 12 * (both + 1 - (both > 1 ? ties / (both * (both - 1)) : 0));
  double distance = std::max(0.0, std::fabs(test.u - m * n / 2) - 0.5);
  test.pNormal = variance > 0 ? std::min(1.0, 2 * normalCdf(-distance / std::sqrt(variance))) : 1;
  test.p = test.pNormal;
  if (ties == 0 && a.size() < 50 && b.size() < 50) {
    std::vector<double> distribution = exactDistribution(a.size(), b.size());
    // The tail on U's own side; the distribution is symmetric.
    auto u = static_cast<size_t>(std::min(test.u, m * n - test.u));
    double tail = 0;
    for (size_t i = 0; i <= u; ++i) tail += distribution[i];
    test.p = std::min(1.0, 2 * tail);
    test.exact = true;
  }
  return test;
}

static double polynomial(std::initializer_list<double> coefficients, double x) {
  double sum = 0, power = 1;
  for (double c : coefficients) {
    sum += c * power;
    power *= x;
  }
  return sum;
}

/// The weights of the order statistics, ascending [royston95].
static std::vector<double> shapiroWeights(size_t size) {
  auto n = static_cast<double>(size);
  if (size == 3) return {-std::sqrt(0.5), 0, std::sqrt(0.5)};
  std::vector<double> m(size);
  double squares = 0;
  for (size_t i = 0; i < size; ++i) {
    m[i] = normalQuantile((static_cast<double>(i + 1) - 0.375) / (n + 0.25));
    squares += m[i] * m[i];
  }
  double u = 1 / std::sqrt(n), root = std::sqrt(squares);
  std::vector<double> a(size);
  double last =
      m[size - 1] / root + polynomial({0, 0.221157, -0.147981, -2.071190, 4.434685, -2.706056}, u);
  double top = squares - 2 * m[size - 1] * m[size - 1], bottom = 1 - 2 * last * last;
  size_t fixed = 1;
  if (size > 5) {
    double next = m[size - 2] / root +
                  polynomial({0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633}, u);
    top -= 2 * m[size - 2] * m[size - 2];
    bottom -= 2 * next * next;
    a[size - 2] = next;
    a[1] = -next;
    fixed = 2;
  }
  a[size - 1] = last;
  a[0] = -last;
  for (size_t i = fixed; i + fixed < size; ++i) a[i] = m[i] / std::sqrt(top / bottom);
  return a;
}

std::optional<NormalityTest> shapiroWilk(std::span<const double> sample) {
  if (sample.size() < 3 || sample.size() > 5000) return std::nullopt;
  std::vector<double> x = sorted(sample);
  if (x.front() == x.back()) return NormalityTest{1, 0};
  auto n = static_cast<double>(x.size());
  std::vector<double> a = shapiroWeights(x.size());
  double weighted = 0;
  for (size_t i = 0; i < x.size(); ++i) weighted += a[i] * x[i];
  Moments moments = momentsOf(x);
  double w = std::min(1.0, weighted * weighted / (moments.variance * (n - 1)));
  NormalityTest test{w, 0};
  if (x.size() == 3) {
    test.p = std::max(0.0, 6 / M_PI * (std::asin(std::sqrt(w)) - std::asin(std::sqrt(0.75))));
    return test;
  }
  double y = std::log1p(-w), mean, deviation;
  if (x.size() <= 11) {
    double limit = 0.459 * n - 2.273;
    if (y >= limit) return NormalityTest{w, 1e-99};
    y = -std::log(limit - y);
    mean = polynomial({0.5440, -0.39978, 0.025054, -0.0006714}, n);
    deviation = std::exp(polynomial({1.3822, -0.77857, 0.062767, -0.0020322}, n));
  } else {
    double logarithm = std::log(n);
    mean = polynomial({-1.5861, -0.31082, -0.083751, 0.0038915}, logarithm);
    deviation = std::exp(polynomial({-0.4803, -0.082676, 0.0030302}, logarithm));
  }
  test.p = normalCdf(-(y - mean) / deviation);
  return test;
}

std::optional<NormalityTest> andersonDarling(std::span<const double> sample) {
  if (sample.size() < 8) return std::nullopt;
  std::vector<double> x = sorted(sample);
  if (x.front() == x.back()) return NormalityTest{0, 0};
  Moments moments = momentsOf(x);
  double n = moments.n, deviation = std::sqrt(moments.variance), sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double z = (x[i] - moments.mean) / deviation;
    double mirrored = (x[x.size() - 1 - i] - moments.mean) / deviation;
    sum +=
        static_cast<double>(2 * i + 1) * (std::log(normalCdf(z)) + std::log(normalCdf(-mirrored)));
  }
  NormalityTest test;
  test.statistic = -n - sum / n;
  // p of the modified statistic: [stephens86], Table 4.9.
  double a = test.statistic * (1 + 0.75 / n + 2.25 / (n * n));
  if (a < 0.2)
    test.p = -std::expm1(-13.436 + 101.14 * a - 223.73 * a * a);
  else if (a < 0.34)
    test.p = -std::expm1(-8.318 + 42.796 * a - 59.938 * a * a);
  else if (a < 0.6)
    test.p = std::exp(0.9177 - 4.279 * a - 1.38 * a * a);
  else if (a < 10)
    test.p = std::exp(1.2937 - 5.709 * a + 0.0186 * a * a);
  else
    test.p = 3.7e-24;
  return test;
}

std::optional<Comparison> compareSamples(std::span<const double> a, std::span<const double> b) {
  std::optional<MannWhitneyTest> ranks = mannWhitneyTest(a, b);
  if (!ranks) return std::nullopt;
  Comparison comparison;
  comparison.effect = ranks->effect;
  std::optional<WelchTest> means = welchTest(a, b);
  auto normality = [](std::span<const double> sample) -> std::optional<double> {
    std::optional<NormalityTest> test =
        sample.size() > 5000 ? andersonDarling(sample) : shapiroWilk(sample);
    return test ? std::optional(test->p) : std::nullopt;
  };
  comparison.normalityA = normality(a);
  comparison.normalityB = normality(b);
  // A sample that is too small for a test of normality has no p, which compares less than 0.05.
  comparison.byRanks = !means || comparison.normalityA < 0.05 || comparison.normalityB < 0.05;
  comparison.p = comparison.byRanks ? ranks->p : means->p;
  return comparison;
}

/// The probabilities of sums of some of the ranks, each taken with probability 1/2; ranks are
/// doubled, so that those of ties are whole.
static std::vector<double> signedRankDistribution(std::span<const size_t> doubled) {
  std::vector<double> ways(std::accumulate(doubled.begin(), doubled.end(), size_t(1)), 0);
  ways[0] = 1;
  for (size_t rank : doubled)
    for (size_t v = ways.size(); v-- > 0;)
      ways[v] = (ways[v] + (v >= rank ? ways[v - rank] : 0)) / 2;
  return ways;
}

SignedRankTest signedRankTest(std::span<const double> values) {
  std::vector<std::pair<double, bool>> all; // size, is positive
  for (double x : values)
    if (x != 0) all.emplace_back(std::fabs(x), x > 0);
  SignedRankTest test;
  if (all.empty()) return test; // nothing differs
  std::sort(all.begin(), all.end());
  std::vector<size_t> doubled;
  double ties = 0;
  for (size_t i = 0; i < all.size();) {
    size_t j = i;
    double positive = 0;
    for (; j < all.size() && all[j].first == all[i].first; ++j) positive += all[j].second;
    const auto group = static_cast<double>(j - i);
    doubled.resize(j, i + j + 1);
    test.v += positive * static_cast<double>(i + j + 1) / 2;
    ties += group * group * group - group;
    i = j;
  }
  const auto n = static_cast<double>(all.size());
  const double middle = n * (n + 1) / 4;
  if (n < 50) {
    const std::vector<double> distribution = signedRankDistribution(doubled);
    double tail = 0;
    for (size_t v = 0; v <= static_cast<size_t>(2 * std::min(test.v, 2 * middle - test.v)); ++v)
      tail += distribution[v];
    test.p = std::min(1.0, 2 * tail);
    test.exact = true;
    return test;
  }
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
  const double distance = std::max(0.0, std::fabs(test.v - middle) - 0.5);
  test.p = std::min(1.0, 2 * normalCdf(-distance / std::sqrt(variance)));
  return test;
}

std::optional<Comparison> comparePairs(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size() && "pairs need samples of one size");
  if (a.size() < 2) return std::nullopt;
  std::vector<double> differences;
  Comparison comparison;
  double larger = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    differences.push_back(a[i] - b[i]);
    larger += a[i] > b[i] ? 1 : a[i] == b[i] ? 0.5 : 0;
  }
  const Moments m = momentsOf(differences);
  comparison.effect = larger / m.n;
  if (std::optional<NormalityTest> normality =
          differences.size() > 5000 ? andersonDarling(differences) : shapiroWilk(differences))
    comparison.normalityA = normality->p;
  // Equal differences have no spread to compare their mean with.
  comparison.byRanks = !(m.variance > 0) || comparison.normalityA < 0.05;
  comparison.p = comparison.byRanks
                     ? signedRankTest(differences).p
                     : studentTwoSided(m.mean / std::sqrt(m.variance / m.n), m.n - 1);
  return comparison;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double running = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    running = std::max(running, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = running;
  }
  return adjusted;
}

} // namespace fathom::estimate
