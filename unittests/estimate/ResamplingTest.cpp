// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No interval is narrower than the units support. Campaigns that stand still, or found something
// late, have no singletons: the counts alone say that nothing is missing, for sure.
#include "estimate/Analysis.h"
#include "estimate/Distributions.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::estimate;

namespace {

AnalysisOptions quickResampling() {
  AnalysisOptions options;
  options.estimators.replicates = 0;
  options.curvePoints = 0;
  return options;
}

Incidence dataOf(IncidenceMatrix matrix) {
  FrequencyCounts counts = tally(matrix);
  return {counts, std::move(matrix)};
}

/// `early` elements in every unit, and `late` ones in all from unit `from` on: an input that found
/// them is in the corpus since.
Incidence standsStill(uint32_t units, int early, int late, uint32_t from) {
  IncidenceMatrix matrix(units);
  for (int e = 0; e < early + late; ++e) {
    std::vector<uint32_t> row;
    for (uint32_t unit = e < early ? 0 : from; unit < units; ++unit) row.push_back(unit);
    matrix.add(row);
  }
  return dataOf(std::move(matrix));
}

Interval widened(const Analysis &analysis, Estimator estimator, double level = 0.9) {
  return *analysis.of(estimator).widened.interval(level);
}

} // namespace

// 40 units without a singleton: a unit finds something new with a probability of up to 5.6 % at
// 90 % (1 - 0.1^(1/40)), so as many again may well find 2.2.
TEST(Resampling, NoIntervalOfAPoint) {
  Analysis still = analyse(standsStill(40, 410, 0, 0), quickResampling());
  for (const TrustedEstimate &entry : still.estimates) {
    if (!entry.widened.band || isMeasured(entry.named.estimator)) continue;
    const Interval published = *entry.named.estimate.interval(0.9),
                   own = *entry.widened.interval(0.9);
    EXPECT_NEAR(published.upper, 410, 0.5) << entry.named.name() << ": of the counts alone";
    EXPECT_GE(own.upper, 410 + 2.2) << entry.named.name();
    EXPECT_GE(entry.trust, Trust::Fair) << entry.named.name() << ": nobody has measured that";
  }
  EXPECT_NEAR(widened(still, Estimator::Chao2).upper, 410 + 40 * 0.05594, 0.01);
}

// Nine elements of the last eighth are in five units: not rare. Campaigns of other blocks of these
// units miss them often.
TEST(Resampling, WhatWasFoundLateIsNoCertainty) {
  Analysis late = analyse(standsStill(40, 401, 9, 35), quickResampling()),
           early = analyse(standsStill(40, 401, 9, 2), quickResampling());
  EXPECT_EQ(late.counts.count(1), 0u);
  EXPECT_NEAR(late.of(Estimator::Chao2).named.estimate.interval(0.9)->upper, 410, 0.5);
  EXPECT_GE(widened(late, Estimator::Chao2).upper, 419);
  EXPECT_LT(widened(early, Estimator::Chao2).upper, 414);
}

// Where units are alike and elements come one by one, the published error is right and stays.
TEST(Resampling, IsNoWiderThanNeeded) {
  Rng rng(3);
  double wider = 0;
  for (int i = 0; i < 20; ++i) {
    IncidenceMatrix matrix(48);
    for (int e = 0; e < 400; ++e) {
      std::vector<uint32_t> row;
      for (uint32_t unit = 0; unit < 48; ++unit)
        if (uniform01(rng) < 0.05) row.push_back(unit);
      matrix.add(row);
    }
    Analysis analysis = analyse(dataOf(std::move(matrix)), quickResampling());
    const Interval own = *analysis.of(Estimator::Chao2).named.estimate.interval(0.9),
                   shown = widened(analysis, Estimator::Chao2);
    EXPECT_LE(own.upper, shown.upper + 1e-9);
    wider += (shown.upper - shown.lower) / (own.upper - own.lower) / 20;
  }
  EXPECT_LT(wider, 1.05);
}

// Levels are nested, and what there is at most ends all.
TEST(Resampling, LevelsAreNestedAndEndAtWhatThereIs) {
  AnalysisOptions options = quickResampling();
  Analysis open = analyse(standsStill(40, 401, 9, 35), options);
  double last = 0;
  for (double level : {0.5, 0.8, 0.9, 0.95, 0.99}) {
    EXPECT_GE(widened(open, Estimator::Jackknife1, level).upper, last);
    last = widened(open, Estimator::Jackknife1, level).upper;
  }
  options.estimators.atMost = 412;
  EXPECT_EQ(widened(analyse(standsStill(40, 401, 9, 35), options), Estimator::Chao2).upper, 412);
}
