// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/ChaoBunge.h"

#include <fmt/format.h>

namespace fathom::estimate {

Estimate chaoBunge(const FrequencyCounts &counts, const ChaoBungeOptions &options) {
  if (auto trivial = trivialOrNotEstimable(counts)) return *trivial;
  auto d = static_cast<double>(counts.observed());
  auto q1 = static_cast<double>(counts.count(1));
  if (q1 == 0) return logNormalEstimate(counts, d, 0, options.fallback);

  double sum = 0, squares = 0, infrequent = 0; // B, H, A1 in the paper's terms
  for (auto [k, count] : counts.frequencies()) {
    if (k > options.cutoff) break;
    auto y = static_cast<double>(k), q = static_cast<double>(count);
    sum += y * q;
    squares += y * y * q;
    infrequent += q;
  }
  double repeated = infrequent - q1, frequent = d - infrequent; // A2, D_f
  double duplication = 1 - q1 * squares / (sum * sum);          // theta
  if (repeated == 0)
    return notEstimable(fmt::format("no element was covered in two to {} units", options.cutoff));
  double part = repeated / duplication, value = frequent + part;
  if (duplication <= 0)
    return notEstimable(
        "too many elements were covered in one unit only: the duplication comes out "
        "negative",
        value);

  auto derivative = [&](uint64_t k) {
    auto y = static_cast<double>(k);
    double byTheta = -((k == 1 ? squares : 0) + q1 * y * y) / (sum * sum) +
                     2 * q1 * squares * y / (sum * sum * sum);
    return (k >= 2 ? 1 / duplication : 0) - repeated / (duplication * duplication) * byTheta;
  };
  double total = options.total == ChaoBungeTotal::Infrequent ? part : value;
  double variance = deltaVariance(counts, total, derivative, options.cutoff);
  Estimate estimate = logNormalEstimate(counts, value, variance, options.fallback);
  if (estimate.status == Status::Ok && options.band == ChaoBungeBand::Species)
    estimate.band = Band::logNormal(infrequent, value - infrequent, variance);
  return estimate;
}

} // namespace fathom::estimate
