// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variance is a sum over pairs of elements of (z_ij/t)^t - q_i q_j, where q_i = (1 - Y_i/t)^t
// and z_ij = t - Y_i - Y_j + (units in common) is the number of units that hold neither. For most
// pairs nothing is in common, and then the summand depends on the two frequencies only: it is
// summed by frequencies, as if no pair had anything in common, and corrected for those pairs that
// have, which are found through the units.
#include "estimate/SmithVanBelle.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

/// (1 - y/t)^t
static double missing(double y, double t) { return y >= t ? 0 : std::exp(t * std::log1p(-y / t)); }

static double value(const FrequencyCounts &counts) {
  auto t = static_cast<double>(counts.units());
  auto sum = static_cast<double>(counts.observed());
  for (auto [k, count] : counts.frequencies())
    sum += static_cast<double>(count) * missing(static_cast<double>(k), t);
  return sum;
}

namespace {
constexpr size_t kRare = 40;

/// Elements with the same units, as one.
struct Group {
  std::span<const uint32_t> row;
  double size;
};
} // namespace

static std::vector<Group> groupsOf(const IncidenceMatrix &matrix) {
  std::vector<std::span<const uint32_t>> rows;
  for (size_t i = 0; i < matrix.listed(); ++i)
    if (size_t y = matrix.row(i).size(); y > 0 && y <= kRare) rows.push_back(matrix.row(i));
  auto less = [](auto a, auto b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::sort(rows.begin(), rows.end(), less);
  std::vector<Group> groups;
  for (auto row : rows) {
    if (!groups.empty() &&
        std::equal(row.begin(), row.end(), groups.back().row.begin(), groups.back().row.end()))
      groups.back().size++;
    else
      groups.push_back({row, 1});
  }
  return groups;
}

/// Nothing when more than maxPairs pairs would have to be looked at.
static std::optional<double> variance(const IncidenceMatrix &matrix, uint64_t maxPairs) {
  std::vector<Group> groups = groupsOf(matrix);
  std::vector<std::vector<uint32_t>> inUnit(matrix.units());
  uint64_t pairs = 0;
  for (uint32_t g = 0; g < groups.size(); ++g)
    for (uint32_t unit : groups[g].row) {
      pairs += inUnit[unit].size();
      if (pairs > maxPairs) return std::nullopt;
      inUnit[unit].push_back(g);
    }

  auto t = static_cast<double>(matrix.units());
  std::vector<double> q(kRare + 1), elements(kRare + 1, 0), none(2 * kRare + 1);
  for (size_t y = 0; y <= kRare; ++y) q[y] = missing(static_cast<double>(y), t);
  for (size_t y = 0; y <= 2 * kRare; ++y) none[y] = missing(static_cast<double>(y), t);
  for (const Group &g : groups) elements[g.row.size()] += g.size;

  // Every ordered pair of elements as if nothing were in common. An element with itself has all in
  // common: q_i - q_i^2, which is also its own variance.
  double sum = 0;
  for (size_t i = 1; i <= kRare; ++i)
    for (size_t j = 1; j <= kRare; ++j)
      if (elements[i] > 0 && elements[j] > 0)
        sum += elements[i] * elements[j] * (none[i + j] - q[i] * q[j]);
  // Inside of a group, and between groups that share units.
  std::vector<uint32_t> common(groups.size(), 0), touched;
  for (uint32_t g = 0; g < groups.size(); ++g) {
    size_t y = groups[g].row.size();
    sum += groups[g].size * groups[g].size * (q[y] - none[2 * y]);
    touched.clear();
    for (uint32_t unit : groups[g].row)
      for (uint32_t other : inUnit[unit]) {
        if (other >= g) break; // ascending
        if (common[other]++ == 0) touched.push_back(other);
      }
    for (uint32_t other : touched) {
      size_t both = y + groups[other].row.size();
      sum += 2 * groups[g].size * groups[other].size * (none[both - common[other]] - none[both]);
      common[other] = 0;
    }
  }
  return sum;
}

Estimate smithVanBelle(const FrequencyCounts &counts, const IncidenceMatrix *matrix,
                       const SmithVanBelleOptions &options) {
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  double raw = value(counts);
  auto d = static_cast<double>(counts.observed());
  if (raw - d < 5e-6) return logNormalEstimate(counts, raw, 0, options.fallback);
  std::optional<double> spread;
  if (matrix) spread = variance(*matrix, options.maxPairs);
  if (!spread) {
    Estimate estimate;
    estimate.status = Status::VarianceUnavailable;
    estimate.raw = estimate.value = raw;
    estimate.reason = matrix ? "too many pairs of elements for the standard error"
                             : "its standard error needs the incidence matrix";
    return estimate;
  }
  Estimate estimate = logNormalEstimate(counts, raw, *spread, options.fallback);
  if (options.wald && estimate.se) estimate.band = Band::wald(raw, *estimate.se, d);
  return estimate;
}

Estimate smithVanBelleResampled(const IncidenceMatrix &matrix, unsigned rounds, Rng &rng) {
  FrequencyCounts counts = tally(matrix);
  if (auto trivial = trivialEstimate(counts)) return *trivial;
  auto t = static_cast<double>(matrix.units()), d = static_cast<double>(counts.observed());
  std::vector<double> values;
  std::vector<double> times(matrix.units());
  for (unsigned round = 0; round < rounds; ++round) {
    std::fill(times.begin(), times.end(), 0);
    for (uint32_t i = 0; i < matrix.units(); ++i) times[rng.below(matrix.units())]++;
    double sum = d;
    for (size_t i = 0; i < matrix.listed(); ++i) {
      if (matrix.row(i).empty()) continue;
      double y = 0;
      for (uint32_t unit : matrix.row(i)) y += times[unit];
      sum += missing(y, t);
    }
    values.push_back(sum);
  }
  double mean = 0, squares = 0;
  for (double v : values) mean += v / static_cast<double>(values.size());
  for (double v : values) squares += (v - mean) * (v - mean);
  Estimate estimate;
  estimate.status = Status::Ok;
  estimate.raw = estimate.value = mean;
  estimate.se = std::sqrt(squares / std::max(1.0, static_cast<double>(values.size()) - 1));
  estimate.band = Band::wald(mean, *estimate.se, d);
  return estimate;
}

} // namespace fathom::estimate
