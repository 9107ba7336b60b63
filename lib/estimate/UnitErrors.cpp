// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/UnitErrors.h"

#include <cmath>

namespace fathom::estimate {

/// For each unit the elements that it covers.
static std::vector<std::vector<uint32_t>> byUnit(const IncidenceMatrix &matrix) {
  std::vector<std::vector<uint32_t>> elements(matrix.units());
  for (size_t i = 0; i < matrix.listed(); ++i)
    for (uint32_t unit : matrix.row(i)) elements[unit].push_back(static_cast<uint32_t>(i));
  return elements;
}

std::optional<double> unitJackknifeError(const IncidenceMatrix &matrix,
                                         const CountEstimator &estimator, uint32_t blockUnits) {
  assert(blockUnits >= 1 && "units of a block");
  uint32_t blocks = matrix.units() / blockUnits;
  if (blocks < 3) return std::nullopt;
  std::vector<std::vector<uint32_t>> elements = byUnit(matrix);
  std::vector<uint64_t> frequency(matrix.listed()), counts(matrix.units() + 1, 0);
  for (size_t i = 0; i < matrix.listed(); ++i) counts[frequency[i] = matrix.row(i).size()]++;

  std::vector<double> values;
  for (uint32_t block = 0; block < blocks; ++block) {
    auto each = [&](auto change) {
      for (uint32_t unit = block * blockUnits; unit < (block + 1) * blockUnits; ++unit)
        for (uint32_t element : elements[unit]) {
          counts[frequency[element]]--;
          change(frequency[element]);
          counts[frequency[element]]++;
        }
    };
    each([](uint64_t &y) { y--; });
    Estimate estimate = estimator(*FrequencyCounts::fromDense(
        matrix.units() - blockUnits, std::span(counts).subspan(1, matrix.units() - blockUnits)));
    each([](uint64_t &y) { y++; });
    // Unclipped: what is cut off would not vary.
    std::optional<double> value = estimate.raw ? estimate.raw : estimate.value;
    if (!estimate.value || !value) return std::nullopt;
    values.push_back(*value);
  }
  double mean = 0, squares = 0, n = blocks;
  for (double v : values) mean += v / n;
  for (double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt((n - 1) / n * squares);
}

std::optional<double> unitBootstrapError(const IncidenceMatrix &matrix,
                                         const CountEstimator &estimator, unsigned replicates,
                                         Rng &rng, uint32_t blockUnits) {
  assert(blockUnits >= 1 && "units of a block");
  uint32_t t = matrix.units();
  if (t < 2) return std::nullopt;
  std::vector<uint32_t> times(t);
  std::vector<uint64_t> counts;
  std::vector<double> values;
  for (unsigned r = 0; r < replicates; ++r) {
    times.assign(t, 0);
    for (uint32_t drawn = 0; drawn < t;)
      for (uint32_t first = rng.below(t), i = 0; i < blockUnits && drawn < t; ++i, ++drawn)
        times[(first + i) % t]++;
    counts.assign(t, 0);
    for (size_t i = 0; i < matrix.listed(); ++i) {
      uint64_t y = 0;
      for (uint32_t unit : matrix.row(i)) y += times[unit];
      if (y) counts[y - 1]++;
    }
    Estimate estimate = estimator(*FrequencyCounts::fromDense(t, counts));
    if (estimate.value) values.push_back(*estimate.value);
  }
  if (values.size() < 2 || 2 * values.size() < replicates) return std::nullopt;
  auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (double v : values) mean += v / n;
  for (double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / (n - 1));
}

Estimate withError(Estimate estimate, double observed, double se) {
  if (!estimate.value || !(*estimate.value > observed) || !(se > 0)) return estimate;
  if (estimate.status == Status::VarianceUnavailable) {
    estimate.status = Status::Ok;
    estimate.reason.clear();
  }
  estimate.se = se;
  estimate.band = Band::logNormal(observed, *estimate.value - observed, se * se);
  return estimate;
}

} // namespace fathom::estimate
