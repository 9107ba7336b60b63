// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be observed of a campaign, as a few numbers that do not depend on how long its sampling
// units are: the units are joined to eight, whatever their number, and everything is counted over
// those. Numbers of elements enter as shares, so that small and large programs are comparable.
#ifndef FATHOM_ESTIMATE_CAMPAIGNFEATURES_H
#define FATHOM_ESTIMATE_CAMPAIGNFEATURES_H

#include "estimate/Incidence.h"

#include <array>
#include <cmath>
#include <limits>

namespace fathom::estimate {

enum class Feature {
#define FATHOM_FEATURE(ENUM, TEXT, PREDICTS, MARGIN) ENUM,
#include "estimate/CampaignFeatures.def"
};
inline constexpr size_t kFeatures = 0
#define FATHOM_FEATURE(ENUM, TEXT, PREDICTS, MARGIN) +1
#include "estimate/CampaignFeatures.def"
    ;
struct FeatureTraits {
  const char *text;
  bool predicts;
  double margin;
};
const FeatureTraits &traits(Feature feature);
/// Of a feature that the data do not tell: the number of executions, where a file of incidence data
/// has nothing of it. Such a feature bounds nothing, and none that predicts may be unknown.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline bool isUnknown(double feature) { return std::isnan(feature); }
using CampaignFeatures = std::array<double, kFeatures>;

/// The number of joined units.
inline constexpr uint32_t kFeatureUnits = 8;
/// Fewer cannot be joined to units that are nearly of one length.
inline constexpr uint32_t kLeastUnits = kFeatureUnits;

/// \param elements  how many elements there are, covered or not.
/// Unit j of t goes to place floor(8 j / t): where 8 does not divide t, joined units differ by
/// one in length. REQUIRES t >= kLeastUnits, at least one element covered, not more than
/// `elements`. Cost: O(incidences + rows).
CampaignFeatures campaignFeatures(const IncidenceMatrix &matrix, double elements);

} // namespace fathom::estimate
#endif
