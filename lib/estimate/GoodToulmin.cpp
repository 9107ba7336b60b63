// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/GoodToulmin.h"

#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

double goodToulmin(const FrequencyCounts &counts, uint64_t more) {
  if (counts.units() == 0) return 0;
  auto t = static_cast<double>(counts.units());
  double a = static_cast<double>(more) / t;
  // For a > 1 the sum is cut off after L terms, L binomial with so many trials of probability
  // 2 / (2 + a) [orlitsky16], so a term counts with P(L >= k).
  double trials = a > 1 ? std::floor(0.5 * std::log2(t * a * a / (a - 1))) : 0;
  double sum = 0;
  for (auto [k, count] : counts.frequencies()) {
    auto y = static_cast<double>(k);
    double weight = 1;
    if (a > 1) {
      if (y > trials) break;
      weight = betaCdf(2 / (2 + a), y, trials - y + 1);
    }
    double term = std::exp(y * std::log(a)) * static_cast<double>(count) * weight;
    sum += k % 2 ? term : -term;
    if (a < 1 && term < 1e-12) break;
  }
  return std::max(0.0, sum);
}

} // namespace fathom::estimate
