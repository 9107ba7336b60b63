// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All estimators at once, the calibrated one, the twelve and two baselines, in their default forms.
// One alone, or another form of it, is a function in the file named after it.
//
//   Result<Incidence> data = readIncidenceFile("campaign.csv");
//   for (const NamedEstimate &e : estimateAll(*data)) use(e.key(), e.estimate.value);
#ifndef FATHOM_ESTIMATE_ESTIMATORS_H
#define FATHOM_ESTIMATE_ESTIMATORS_H

#include "estimate/Estimate.h"

#include <vector>

namespace fathom::estimate {

enum class Estimator {
#define FATHOM_ESTIMATOR(ENUM, KEY, NAME) ENUM,
#include "estimate/Estimators.def"
};

const char *estimatorKey(Estimator estimator);  ///< "chao2_bc"
const char *estimatorName(Estimator estimator); ///< "Chao2-bc"
/// In the order of Estimators.def.
const std::vector<Estimator> &allEstimators();
/// Its errors were measured on campaigns whose truth is known: calibrated, and the constant share.
bool isMeasured(Estimator estimator);
/// One of the twelve, whose errors follow from assumptions about how rare elements are.
bool isOfRarity(Estimator estimator);

struct EstimateOptions {
  /// Resamples for the intervals of the two NPMLEs; 0: points without interval.
  unsigned replicates = 200;
  uint64_t seed = 1;
  /// How many elements there can be at most, if it is known: intervals end there. The calibrated
  /// estimator takes it for the number that exist; without it, for that it takes the matrix's rows.
  std::optional<double> atMost = std::nullopt;
  /// "" when the options can be used, otherwise which is wrong and what would be right. `observed`:
  /// D.
  std::string validate(uint64_t observed) const;
};

struct NamedEstimate {
  Estimator estimator;
  Estimate estimate;
  const char *key() const { return estimatorKey(estimator); }
  const char *name() const { return estimatorName(estimator); }
};

/// One estimator. Cost: the closed forms O(distinct frequencies).
Estimate estimateOne(Estimator estimator, const Incidence &data,
                     const EstimateOptions &options = {});
/// In the order of Estimators.def.
std::vector<NamedEstimate> estimateAll(const Incidence &data, const EstimateOptions &options = {});

} // namespace fathom::estimate
#endif
