// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/SampleCoverage.h"

#include "estimate/Accumulation.h"
#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

double sampleCoverage(const FrequencyCounts &counts, uint64_t more) {
  if (counts.incidences() == 0 || counts.units() <= 1) return 0;
  auto t = static_cast<double>(counts.units()), q1 = static_cast<double>(counts.count(1));
  if (q1 == 0) return 1;
  double unseen = unseenByChao2(counts);
  double stays = t * unseen / (t * unseen + q1);
  return 1 - q1 / static_cast<double>(counts.incidences()) *
                 std::pow(stays, static_cast<double>(more) + 1);
}

double discoveryRate(const FrequencyCounts &counts) {
  return counts.units() ? static_cast<double>(counts.count(1)) / static_cast<double>(counts.units())
                        : 0;
}

MissingMass missingMass(const FrequencyCounts &counts) {
  MissingMass mass;
  auto t = static_cast<double>(counts.units());
  auto q1 = static_cast<double>(counts.count(1)), q2 = static_cast<double>(counts.count(2));
  if (t < 1) return mass;
  mass.goodTuring = mass.secondOrder = mass.combined = q1 / t;
  if (t < 2) return mass;
  double correction = 2 * q2 / (t * (t - 1));
  mass.secondOrder = std::max(0.0, q1 / t - correction);
  // Q1/t is too large by the correction on average; taking it away adds the variance of Q2.
  double biasSquared = correction * correction;
  double varianceAdded = 4 * q2 / (t * t * (t - 1) * (t - 1));
  if (varianceAdded < biasSquared) mass.combined = mass.secondOrder;
  return mass;
}

DiscoveryProbability discoveryProbability(const IncidenceMatrix &matrix, double level) {
  DiscoveryProbability result;
  auto t = static_cast<double>(matrix.units());
  result.unitsWithSingleton = unitsWithFrequency(matrix, 1, 1);
  auto k = static_cast<double>(result.unitsWithSingleton);
  double singletons = 0;
  for (size_t i = 0; i < matrix.listed(); ++i) singletons += matrix.row(i).size() == 1;
  result.estimate = std::max(k / t, 1 / (t + 2));
  result.upper = k >= t ? 1 : betaQuantile(level, k + 1, t - k);
  result.blockSize = k > 0 ? singletons / k : 0;
  return result;
}

} // namespace fathom::estimate
