// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Drift.h"

#include "estimate/Chao2.h"

namespace fathom::estimate {

std::optional<DriftTest> driftTest(const IncidenceMatrix &matrix) {
  if (matrix.units() < 8) return std::nullopt;
  std::vector<double> covered(matrix.units(), 0);
  for (size_t i = 0; i < matrix.listed(); ++i)
    for (uint32_t unit : matrix.row(i)) covered[unit]++;
  // With an odd number the middle unit is in neither half.
  size_t half = covered.size() / 2;
  std::span<const double> first(covered.data(), half),
      second(covered.data() + covered.size() - half, half);
  DriftTest test;
  for (double x : first) test.firstMean += x / static_cast<double>(half);
  for (double x : second) test.secondMean += x / static_cast<double>(half);
  test.comparison = *compareSamples(first, second);
  return test;
}

Window resetAt(const IncidenceMatrix &matrix, uint32_t from) {
  assert(from < matrix.units() && "a window with units in it");
  Window window;
  std::vector<uint64_t> counts(matrix.units() - from, 0);
  for (size_t i = 0; i < matrix.listed(); ++i) {
    std::span<const uint32_t> row = matrix.row(i);
    if (row.empty()) continue;
    if (row[0] < from)
      window.knownBefore++;
    else
      counts[row.size() - 1]++;
  }
  window.counts = *FrequencyCounts::fromDense(counts.size(), counts);
  return window;
}

Estimate resetChao2(const Window &window) {
  Estimate estimate = chao2(window.counts);
  auto before = static_cast<double>(window.knownBefore);
  if (estimate.value) *estimate.value += before;
  if (estimate.raw) *estimate.raw += before;
  estimate.band = estimate.band.shifted(before);
  return estimate;
}

std::vector<uint32_t> exponentialWindows(uint32_t units, uint32_t smallest) {
  std::vector<uint32_t> starts;
  for (uint32_t size = units / 2; size >= smallest && size > 0; size /= 2)
    starts.push_back(units - size);
  return starts;
}

} // namespace fathom::estimate
