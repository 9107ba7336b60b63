// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Resampling.h"

#include "estimate/Distributions.h"

#include <algorithm>

namespace fathom::estimate {

/// Enough for the ends of 99 % intervals; of large programs fewer, because all classes are drawn.
static unsigned replicates(size_t classes) { return classes > 100000 ? 40 : 200; }

Reach::Reach(const Blocks &blocks, const DiscoveryProbability &discovery, Rng &rng)
    : observed_(static_cast<double>(blocks.elements)), units_(blocks.classes.units()),
      unitsWithSingleton_(static_cast<double>(discovery.unitsWithSingleton)),
      size_(std::max(1.0, discovery.blockSize)) {
  const uint32_t units = blocks.classes.units();
  if (units < kLeastParts || blocks.elements == 0) return;
  const uint32_t parts = std::min(kParts, units);
  std::vector<uint32_t> inParts; // of each class, a bit for each part that covers it
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    uint32_t bits = blocks.classes.row(i).size() > 2 ? 0 : ~0u; // never missed
    for (uint32_t unit : blocks.classes.row(i)) bits |= 1u << (uint64_t(unit) * parts / units);
    inParts.push_back(bits);
  }
  for (unsigned left = replicates(blocks.sizes.size()); left--;) {
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < parts; ++i) drawn |= 1u << rng.below(parts);
    uint64_t missed = 0;
    for (size_t i = 0; i < inParts.size(); ++i)
      if (!(inParts[i] & drawn)) missed += blocks.sizes[i];
    missed_.push_back(static_cast<double>(missed));
  }
  std::sort(missed_.begin(), missed_.end());
}

double Reach::operator()(double level) const {
  if (!(units_ > 0)) return 0;
  const double k = unitsWithSingleton_;
  const double chance = k >= units_ ? 1 : betaQuantile(level, k + 1, units_ - k);
  const double untold = units_ * chance - k;
  const double missing = missed_.empty() ? 0 : quantile(missed_, (1 + level) / 2);
  return observed_ + std::max(untold * size_, missing);
}

} // namespace fathom::estimate
