// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Accuracy.h"

#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

Interval wilson(uint64_t successes, uint64_t trials, double level) {
  auto n = static_cast<double>(trials);
  double p = static_cast<double>(successes) / n, z = normalCriticalValue(level), zz = z * z;
  double centre = (p + zz / (2 * n)) / (1 + zz / n);
  double half = z / (1 + zz / n) * std::sqrt(p * (1 - p) / n + zz / (4 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Interval clopperPearson(double successes, double trials, double level) {
  double tail = (1 - level) / 2, failures = trials - successes;
  return {successes <= 0 ? 0 : betaQuantile(tail, successes, failures + 1),
          failures <= 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures)};
}

double effectiveSampleSize(std::span<const Tally> clusters) {
  double count = 0, n = 0, hits = 0, squares = 0; // of clusters, of trials, sum of size^2
  for (const Tally &cluster : clusters) {
    if (!cluster.trials) continue;
    const auto size = static_cast<double>(cluster.trials);
    ++count, n += size, squares += size * size;
    hits += static_cast<double>(cluster.successes);
  }
  if (count < 2 || n <= count) return n;
  const double share = hits / n;
  double between = 0, within = 0;
  for (const Tally &cluster : clusters) {
    if (!cluster.trials) continue;
    const auto size = static_cast<double>(cluster.trials);
    const double own = static_cast<double>(cluster.successes) / size;
    between += size * (own - share) * (own - share) / (count - 1);
    within += size * own * (1 - own) / (n - count);
  }
  const double typical = (n - squares / n) / (count - 1);
  const double all = between + (typical - 1) * within;
  const double alike = all > 0 ? std::clamp((between - within) / all, 0.0, 1.0) : 0;
  return n / (1 + (squares / n - 1) * alike);
}

std::optional<double> Accuracy::coverage() const {
  if (withInterval == 0) return std::nullopt;
  return static_cast<double>(covered) / static_cast<double>(withInterval);
}

Answer answerOf(const Estimate &estimate, double level, bool raw) {
  return {raw ? estimate.raw : estimate.value, estimate.interval(level)};
}

Accuracy accuracy(std::span<const Answer> trials, double truth) {
  Accuracy result;
  result.trials = trials.size();
  std::vector<double> biases;
  for (const Answer &trial : trials) {
    if (trial.value) biases.push_back((*trial.value - truth) / truth);
    if (!trial.interval) continue;
    result.withInterval++;
    result.covered += trial.interval->lower <= truth && truth <= trial.interval->upper;
  }
  result.withValue = biases.size();
  if (biases.empty()) return result;
  auto k = static_cast<double>(biases.size());
  for (double b : biases) result.meanBias += b / k;
  double squares = 0;
  for (double b : biases) squares += (b - result.meanBias) * (b - result.meanBias);
  result.populationImprecision = squares / k;
  result.imprecision = biases.size() > 1 ? squares / (k - 1) : 0;
  std::sort(biases.begin(), biases.end());
  result.medianBias = quantile(biases, 0.5);
  return result;
}

Accuracy accuracy(std::span<const Estimate> trials, double truth, double level, bool raw) {
  std::vector<Answer> answers;
  for (const Estimate &trial : trials) answers.push_back(answerOf(trial, level, raw));
  return accuracy(answers, truth);
}

std::optional<Agreement> agreement(const Answer &a, const Answer &b) {
  const std::optional<Interval> &x = a.interval, &y = b.interval;
  if (!a.value || !b.value || !x || !y) return std::nullopt;
  auto inside = [](double value, const Interval &interval) {
    return interval.lower <= value && value <= interval.upper;
  };
  Agreement result;
  result.mutual = inside(*a.value, *y) && inside(*b.value, *x);
  result.overlap = x->lower <= y->upper && y->lower <= x->upper;
  return result;
}

std::optional<Agreement> agreement(const Estimate &a, const Estimate &b, double level) {
  return agreement(answerOf(a, level), answerOf(b, level));
}

} // namespace fathom::estimate
