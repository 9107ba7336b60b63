// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Estimators.h"

#include "estimate/Baselines.h"
#include "estimate/Calibration.h"
#include "estimate/Chao2.h"
#include "estimate/ChaoBunge.h"
#include "estimate/Ice.h"
#include "estimate/Jackknife.h"
#include "estimate/Npmle.h"
#include "estimate/SmithVanBelle.h"
#include "estimate/Zelterman.h"

#include <fmt/format.h>

namespace fathom::estimate {

const char *estimatorKey(Estimator estimator) {
  switch (estimator) {
#define FATHOM_ESTIMATOR(ENUM, KEY, NAME)                                                          \
  case Estimator::ENUM: return KEY;
#include "estimate/Estimators.def"
  }
  return "";
}

const char *estimatorName(Estimator estimator) {
  switch (estimator) {
#define FATHOM_ESTIMATOR(ENUM, KEY, NAME)                                                          \
  case Estimator::ENUM: return NAME;
#include "estimate/Estimators.def"
  }
  return "";
}

const std::vector<Estimator> &allEstimators() {
  static const std::vector<Estimator> all = {
#define FATHOM_ESTIMATOR(ENUM, KEY, NAME) Estimator::ENUM,
#include "estimate/Estimators.def"
  };
  return all;
}

bool isMeasured(Estimator estimator) {
  return estimator == Estimator::Calibrated || estimator == Estimator::ConstantShare;
}

bool isOfRarity(Estimator estimator) {
  return !isMeasured(estimator) && estimator != Estimator::AllElements;
}

std::string EstimateOptions::validate(uint64_t observed) const {
  if (atMost && !(*atMost >= static_cast<double>(observed)))
    return fmt::format("at most {} elements, but {} were observed", *atMost, observed);
  return "";
}

static Estimate unbounded(Estimator estimator, const Incidence &data,
                          const EstimateOptions &options) {
  const FrequencyCounts &counts = data.counts;
  NpmleOptions npmle;
  npmle.replicates = options.replicates;
  npmle.seed = options.seed;
  switch (estimator) {
  case Estimator::Calibrated: return calibrated(data, options.atMost);
  case Estimator::ConstantShare: return constantShare(data, options.atMost);
  case Estimator::AllElements: return allElements(data, options.atMost);
  case Estimator::Chao2: return chao2(counts);
  case Estimator::Chao2BiasCorrected: return chao2BiasCorrected(counts);
  case Estimator::IChao2: return iChao2(counts);
  case Estimator::Jackknife1: return jackknife1(counts);
  case Estimator::Jackknife2: return jackknife2(counts);
  case Estimator::Ice: return ice(counts);
  case Estimator::Ice1: return ice1(counts);
  case Estimator::Zelterman: return zelterman(counts);
  case Estimator::SmithVanBelle:
    return smithVanBelle(counts, data.matrix ? &*data.matrix : nullptr);
  case Estimator::ChaoBunge: return chaoBunge(counts);
  case Estimator::Unpmle: return unpmle(counts, npmle).estimate;
  case Estimator::Pnpmle: return pnpmle(counts, npmle).estimate;
  }
  return {};
}

Estimate estimateOne(Estimator estimator, const Incidence &data, const EstimateOptions &options) {
  Estimate estimate = unbounded(estimator, data, options);
  if (options.atMost && estimate.band) estimate.band = estimate.band.atMost(*options.atMost);
  return estimate;
}

std::vector<NamedEstimate> estimateAll(const Incidence &data, const EstimateOptions &options) {
  std::vector<NamedEstimate> result;
  for (Estimator estimator : allEstimators())
    result.push_back({estimator, estimateOne(estimator, data, options)});
  return result;
}

} // namespace fathom::estimate
