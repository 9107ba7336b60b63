// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/CampaignFeatures.h"

#include <bit>
#include <cassert>
#include <cmath>

namespace fathom::estimate {

const FeatureTraits &traits(Feature feature) {
  static const FeatureTraits all[] = {
#define FATHOM_FEATURE(ENUM, TEXT, PREDICTS, MARGIN) {TEXT, PREDICTS, MARGIN},
#include "estimate/CampaignFeatures.def"
  };
  return all[static_cast<size_t>(feature)];
}

CampaignFeatures campaignFeatures(const IncidenceMatrix &matrix, double elements) {
  assert(matrix.units() >= kLeastUnits && "too few units");
  const uint64_t t = matrix.units();
  std::array<double, kFeatureUnits + 1> inUnits{}; // elements by how many joined units cover them
  std::array<double, kFeatureUnits> firstIn{};     // elements by the joined unit that found them
  double observed = 0;
  for (size_t i = 0; i < matrix.listed(); ++i) {
    uint32_t joined = 0; // a bit for each joined unit
    for (uint32_t unit : matrix.row(i)) joined |= 1u << (uint64_t(unit) * kFeatureUnits / t);
    if (!joined) continue;
    inUnits[static_cast<size_t>(std::popcount(joined))]++;
    firstIn[static_cast<size_t>(std::countr_zero(joined))]++;
    observed++;
  }
  // The joined units 4 to 7 are the last doubling of the campaign's length, 1 to 3 the two
  // doublings before it (from one unit to two, and to four).
  double lastHalf = 0, before = 0;
  for (size_t place = 1; place < kFeatureUnits; ++place)
    (place < kFeatureUnits / 2 ? before : lastHalf) += firstIn[place];
  // Half an element keeps logarithms finite where there is none.
  auto share = [&](double count) { return std::log((count + 0.5) / (observed + 1)); };
  CampaignFeatures features{};
  auto set = [&](Feature feature, double value) { features[static_cast<size_t>(feature)] = value; };
  set(Feature::Elements, std::log(elements));
  set(Feature::Covered, std::log((observed + 0.5) / (elements - observed + 0.5)));
  set(Feature::LastDoubling, share(lastHalf));
  set(Feature::DoublingsBefore, share(before));
  set(Feature::Singletons, share(inUnits[1]));
  set(Feature::Everywhere, share(inUnits[kFeatureUnits]));
  set(Feature::Executions, matrix.executions() ? std::log(*matrix.executions()) : kUnknown);
  return features;
}

} // namespace fathom::estimate
