// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long feasibility checks took: counts in buckets that are a quarter of an octave wide, so that
// a quantile is known to a fifth, over billions of checks.
#ifndef FATHOM_EXPLORE_CHECKTIMES_H
#define FATHOM_EXPLORE_CHECKTIMES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fathom::explore {

struct CheckTimes {
  std::vector<uint64_t> buckets; ///< [i]: 2^(i/4) to 2^((i+1)/4) nanoseconds
  double longestSeconds = 0;
  uint64_t late = 0; ///< that took more than a tenth longer than they had, and kNoise
  /// Near the end of a run checks have next to no time.
  static constexpr double kNoise = 0.01;

  void add(double seconds, double timeoutSeconds) {
    const double nanoseconds = std::max(1.0, seconds * 1e9);
    const auto bucket = static_cast<size_t>(4 * std::log2(nanoseconds));
    if (bucket >= buckets.size()) buckets.resize(bucket + 1);
    buckets[bucket]++;
    longestSeconds = std::max(longestSeconds, seconds);
    late += seconds > 1.1 * timeoutSeconds + kNoise;
  }
  void add(const CheckTimes &other) {
    buckets.resize(std::max(buckets.size(), other.buckets.size()));
    for (size_t i = 0; i < other.buckets.size(); i++) buckets[i] += other.buckets[i];
    longestSeconds = std::max(longestSeconds, other.longestSeconds);
    late += other.late;
  }
  /// The time that this share (0 .. 1) of the checks did not exceed: the upper end of its bucket. 0
  /// without any check.
  double quantileSeconds(double share) const {
    const auto all = std::accumulate(buckets.begin(), buckets.end(), uint64_t(0));
    double below = 0;
    for (size_t i = 0; all && i < buckets.size(); i++)
      if ((below += static_cast<double>(buckets[i])) >= share * static_cast<double>(all))
        return std::exp2(static_cast<double>(i + 1) / 4) / 1e9;
    return 0;
  }
};

} // namespace fathom::explore
#endif
