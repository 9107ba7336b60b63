// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Baselines.h"

#include <algorithm>

namespace fathom::estimate {

Estimate constantShare(const Incidence &data, std::optional<double> most,
                       const Calibration &calibration) {
  KnownElements known = knownElements(data, most);
  if (known.instead) return *known.instead;
  if (calibration.empty()) return notEstimable("there is no calibration");
  const auto observed = static_cast<double>(data.counts.observed());
  const double rest = known.elements - observed;
  std::vector<Band::Weighted> outcomes = calibration.weighted(
      [&](const Calibration::Score &score) { return observed + score.share * rest; });
  Estimate estimate;
  estimate.status = Status::Ok;
  estimate.value = estimate.raw = observed + calibration.share() * rest;
  estimate.band = Band::predictive(std::move(outcomes), observed, known.elements);
  return estimate;
}

Estimate allElements(const Incidence &data, std::optional<double> most) {
  KnownElements known = knownElements(data, most);
  if (known.instead) return *known.instead;
  Estimate estimate;
  estimate.status = Status::VarianceUnavailable;
  estimate.value = estimate.raw = known.elements;
  estimate.reason = "an upper bound: everything that is not proved unreachable";
  return estimate;
}

} // namespace fathom::estimate
