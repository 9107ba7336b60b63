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

namespace {
/// Logarithms of factorials, from a table where t is not huge: a curve with its errors needs
/// millions.
class Factorials {
public:
  explicit Factorials(uint64_t t) {
    constexpr uint64_t kLargestTable = 2000000;
    if (t > kLargestTable) return;
    table_.resize(t + 1);
    for (uint64_t n = 0; n <= t; ++n) table_[n] = std::lgamma(static_cast<double>(n) + 1);
  }
  double log(uint64_t n) const {
    return n < table_.size() ? table_[n] : std::lgamma(static_cast<double>(n) + 1);
  }

private:
  std::vector<double> table_;
};
} // namespace

/// Beyond this differences of logarithms of factorials lose their digits, and drawing units with or
/// without replacement is the same.
static constexpr uint64_t kExactUnits = 1000000000;

static double accumulatedWith(const FrequencyCounts &counts, uint64_t m,
                              const Factorials &factorials) {
  auto d = static_cast<double>(counts.observed());
  uint64_t t = counts.units();
  if (m >= t) return d + expectedNew(counts, m - t);
  // An element is missed with probability C(t - k, m) / C(t, m), which is at most (1 - m/t)^k.
  double all = factorials.log(t) - factorials.log(t - m);
  double perUnit = std::log1p(-static_cast<double>(m) / static_cast<double>(t));
  for (auto [k, count] : counts.frequencies()) {
    if (k + m > t) break;                              // cannot be missed
    if (static_cast<double>(k) * perUnit < -90) break; // 1e-39: adds nothing, nor do those after it
    double missed = t > kExactUnits
                        ? std::exp(static_cast<double>(k) * perUnit)
                        : std::exp(factorials.log(t - k) - factorials.log(t - k - m) - all);
    d -= static_cast<double>(count) * missed;
  }
  return d;
}

double accumulated(const FrequencyCounts &counts, uint64_t units) {
  return accumulatedWith(counts, units, Factorials(0));
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
  if (c.probability >= 1) { // in every unit; the odds below would be infinite
    counts[t] += left;
    return;
  }
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

namespace {
/// Variance of numbers that come one after the other, around a value that is near them.
struct Spread {
  double around = 0, sum = 0, squares = 0, n = 0;
  void add(double x) {
    sum += x - around;
    squares += (x - around) * (x - around);
    n++;
  }
  double variance() const { return n > 1 ? std::max(0.0, squares - sum * sum / n) / (n - 1) : 0; }
};
} // namespace

Outlook outlook(const FrequencyCounts &counts, std::span<const uint64_t> at, uint64_t ahead,
                unsigned replicates, Rng &rng) {
  Outlook result;
  Factorials factorials(at.empty() ? 0 : counts.units());
  std::vector<Spread> spreads;
  for (uint64_t units : at) {
    result.curve.push_back({units, accumulatedWith(counts, units, factorials), 0});
    spreads.push_back({result.curve.back().value});
  }
  Spread news{expectedNew(counts, ahead)};
  if (replicates > 1 && counts.observed() > 0) {
    std::vector<Class> classes = classesOf(counts);
    for (unsigned r = 0; r < replicates; ++r) {
      FrequencyCounts drawn = drawFrom(classes, counts.units(), rng);
      for (size_t i = 0; i < at.size(); ++i)
        spreads[i].add(accumulatedWith(drawn, at[i], factorials));
      news.add(expectedNew(drawn, ahead));
    }
  }
  for (size_t i = 0; i < at.size(); ++i) result.curve[i].se = std::sqrt(spreads[i].variance());

  Estimate &estimate = result.expectedNew;
  if (counts.units() <= 1 && counts.observed() > 0) {
    estimate =
        notEstimable("one sampling unit tells nothing about what is missing; use smaller units");
    return result;
  }
  estimate.raw = estimate.value = news.around;
  if (news.around <= 0) {
    estimate.status = Status::Fallback;
    estimate.reason = "nothing in the data tells of elements that are missing";
  } else if (!(news.variance() > 0)) {
    estimate.status = Status::VarianceUnavailable;
    estimate.reason = "no resamples, or they do not differ";
  } else {
    estimate.status = Status::Ok;
    estimate.se = std::sqrt(news.variance());
    estimate.band = Band::logNormal(0, news.around, news.variance());
  }
  return result;
}

} // namespace fathom::estimate
