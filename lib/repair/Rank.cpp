// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace fathom::repair {

void ValueModels::learn(const std::string &variable, psp::Samples samples) {
  std::optional<psp::Model> model =
      psp::Model::learn(std::move(samples), psp::Region(), psp::Forest::shipped());
  if (model) models_.insert_or_assign(variable, std::move(*model));
}

std::optional<double> ValueModels::probability(const std::string &variable, int64_t value) const {
  const auto model = models_.find(variable);
  if (model == models_.end()) return std::nullopt;
  const psp::StateProbability p = model->second.at(psp::State::of({value}));
  if (p.source == psp::Source::Seen) return 1;
  return psp::clampEstimate(p.probability, model->second.options().epsilon);
}

std::optional<UnchangedProbability> unchangedProbability(const ValueModels &models,
                                                         const SeenValues &values) {
  UnchangedProbability out;
  for (const auto &[variable, seen] : values)
    for (const int64_t value : seen) {
      const std::optional<double> p = models.probability(variable, value);
      if (!p) break;
      ++out.bindings;
      out.probability *= *p;
      out.logarithm += std::log(*p);
      if (*p < out.least) {
        out.least = *p;
        out.variable = variable;
        out.value = value;
      }
    }
  return out.bindings ? std::optional(out) : std::nullopt;
}

std::vector<std::optional<double>> normalisedScores(std::span<const std::optional<double>> scores) {
  std::optional<double> least, largest;
  for (const std::optional<double> &score : scores) {
    if (!score) continue;
    least = std::min(least.value_or(*score), *score);
    largest = std::max(largest.value_or(*score), *score);
  }
  std::vector<std::optional<double>> out(scores.begin(), scores.end());
  for (std::optional<double> &score : out)
    if (score) score = *largest > *least ? (*score - *least) / (*largest - *least) : 1;
  return out;
}

double probabilityOfRight(std::optional<double> score, std::optional<double> unchanged) {
  const double s = score.value_or(0), p = unchanged.value_or(0.5);
  return s * p + kRightWhenChanged * s * (1 - p);
}

/// The indices below `count` by what `place` says of each; equal ones stay in their order.
template <typename Place> static std::vector<size_t> sortedBy(size_t count, Place place) {
  std::vector<size_t> out(count);
  std::iota(out.begin(), out.end(), size_t(0));
  std::sort(out.begin(), out.end(),
            [&](size_t a, size_t b) { return std::pair(place(a), a) < std::pair(place(b), b); });
  return out;
}

std::vector<size_t> rankPatches(std::span<const RankKey> keys) {
  const bool hasScores = std::any_of(keys.begin(), keys.end(),
                                     [](const RankKey &key) { return key.score.has_value(); });
  // What is large comes last in a tuple's order.
  return sortedBy(keys.size(), [&](size_t i) {
    const RankKey &key = keys[i];
    const std::optional<double> p =
        key.unchanged ? std::optional(key.unchanged->probability) : std::nullopt;
    return std::tuple(hasScores ? -probabilityOfRight(key.score, p) : 0.0,
                      !key.unchanged.has_value(), key.unchanged ? -key.unchanged->logarithm : 0.0);
  });
}

std::vector<size_t> rankEdits(std::span<const EditKey> keys) {
  return sortedBy(keys.size(), [&](size_t i) {
    const EditKey &key = keys[i];
    const double tenths = 10 * (key.unchanged ? key.unchanged->probability : 0.5);
    return std::tuple(key.distance, -std::floor(tenths + 0.5), key.exchanged, key.size);
  });
}

} // namespace fathom::repair
