// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Density.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fathom::psp {

/// Beyond so many bandwidths the kernel is below 3e-16.
static constexpr double kReach = 8.5;

Density::Density(const Samples &samples, double bandwidth)
    : samples_(samples), near_(samples), bandwidth_(bandwidth) {}

static double kernel(const State &a, const State &b, double bandwidth) {
  const double apart = distance(a, b).value_or(INFINITY) / bandwidth;
  return std::exp(-apart * apart / 2);
}

double Density::density(const State &state) const {
  if (samples_.isEmpty()) return 0;
  double sum = 0;
  for (const Neighbour &n : near_.within(state, kReach * bandwidth_))
    sum += static_cast<double>(n.count) * kernel(state, *n.state, bandwidth_);
  const double scale = std::pow(2 * std::numbers::pi * bandwidth_ * bandwidth_,
                                static_cast<double>(state.bindings.size()) / 2);
  return sum / (static_cast<double>(samples_.total()) * scale);
}

/// A sum without the kernel's norm and without multiplicities: Density.h says why.
double Density::probability(const State &state) const {
  double sum = 0;
  for (const Neighbour &n : near_.within(state, kReach * bandwidth_))
    sum += kernel(state, *n.state, bandwidth_);
  return std::min(1.0, sum);
}

} // namespace fathom::psp
