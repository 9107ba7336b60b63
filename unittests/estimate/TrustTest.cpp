// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lowers trust: each rule on data that have what it is about and nothing else, and the same
// data without it. test/estimate/trust.test has the rule about the calibrated interval.
#include "Vectors.h"

#include "estimate/Analysis.h"
#include "estimate/AnalysisText.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::estimate;
using namespace fathom::estimate::test;

namespace {

AnalysisOptions quickTrust() {
  AnalysisOptions options;
  options.estimators.replicates = 0;
  options.curvePoints = 0;
  return options;
}

bool chance(Rng &rng, double probability) { return rng.below(1000000) < 1e6 * probability; }

/// Elements that are equally rare, in units that are alike or of which the late ones cover `more`
/// times as much.
Incidence equallyRare(uint64_t seed, double more = 1) {
  constexpr uint32_t kUnits = 48;
  Rng rng(seed);
  Incidence data;
  data.matrix.emplace(kUnits);
  for (int e = 0; e < 400; ++e) {
    std::vector<uint32_t> row;
    for (uint32_t unit = 0; unit < kUnits; ++unit)
      if (chance(rng, 0.05 * (unit < kUnits / 2 ? 1 : more))) row.push_back(unit);
    data.matrix->add(row);
  }
  data.counts = tally(*data.matrix);
  return data;
}

/// Half of the elements are always covered twice, in units beside each other: none of them looks
/// rare until units are joined.
Incidence inBursts() {
  constexpr uint32_t kUnits = 48;
  Rng rng(3);
  Incidence data;
  data.matrix.emplace(kUnits);
  for (int e = 0; e < 200; ++e) {
    const uint32_t at = 2 * rng.below(kUnits / 2);
    data.matrix->add(std::vector<uint32_t>{at, at + 1});
  }
  for (int e = 0; e < 200; ++e) {
    std::vector<uint32_t> row;
    for (uint32_t unit = 0; unit < kUnits; ++unit)
      if (chance(rng, 0.3)) row.push_back(unit);
    data.matrix->add(row);
  }
  data.counts = tally(*data.matrix);
  return data;
}

} // namespace

TEST(Trust, DriftLowersWhatTakesUnitsForAlike) {
  Analysis steady = analyse(equallyRare(1), quickTrust());
  ASSERT_FALSE(steady.units->drifts());
  EXPECT_EQ(steady.of(Estimator::Chao2).trust, Trust::Good) << "what was measured confirms it";
  Analysis drifting = analyse(equallyRare(1, 3), quickTrust());
  ASSERT_TRUE(drifting.units->drifts());
  unsigned lowered = 0;
  for (const TrustedEstimate &entry : drifting.estimates) {
    if (isOfRarity(entry.named.estimator))
      EXPECT_GE(entry.trust, Trust::Fair) << entry.named.name();
    lowered += entry.remark == "takes units for alike, and they are not (drift)";
  }
  EXPECT_GT(lowered, 0u) << "otherwise other rules did it all";
}

TEST(Trust, EstimatesThatMoveWithTheUnitAreLowered) {
  Analysis steady = analyse(equallyRare(1), quickTrust());
  const TrustedEstimate &stays = steady.of(Estimator::Chao2);
  ASSERT_EQ(stays.regroupings.size(), 2u);
  EXPECT_TRUE(stays.regroupings[0].agreement->mutual);
  Analysis bursts = analyse(inBursts(), quickTrust());
  const TrustedEstimate &moves = bursts.of(Estimator::Chao2);
  // No singletons: nothing is missing. Joined by two, each burst is one.
  EXPECT_EQ(bursts.counts.count(1), 0u);
  EXPECT_EQ(moves.trust, Trust::Poor);
  EXPECT_EQ(moves.remark, "another answer for longer units");
  for (const TrustedEstimate &entry : bursts.estimates)
    for (const TrustedEstimate::Regrouping &regrouping : entry.regroupings)
      if (regrouping.agreement && !regrouping.agreement->mutual)
        EXPECT_GE(entry.trust, Trust::Fair) << entry.named.name();
}

// A campaign's matrix is known to list everything: no interval ends beyond, no estimate does
// without being marked, and --at-most is not needed.
TEST(Trust, WhatTheMatrixListsIsTheMost) {
  Incidence data = equallyRare(1);
  for (int i = 0; i < 3; ++i) data.matrix->add(std::vector<uint32_t>());
  const double listed = static_cast<double>(data.matrix->listed());
  Analysis unknown = analyse(data, quickTrust());
  EXPECT_FALSE(unknown.atMost);
  EXPECT_NE(analysisText(unknown).find("pass --at-most 403"), std::string::npos);
  data.listing = Listing{6, 2};
  Analysis known = analyse(data, quickTrust());
  EXPECT_EQ(known.atMost, listed);
  const std::string text = analysisText(known);
  EXPECT_EQ(text.find("--at-most"), std::string::npos);
  EXPECT_NE(text.find("403 elements at most: 409 minus 6 known to be unreachable"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2 more, covered only by other stages"), std::string::npos) << text;
  for (const TrustedEstimate &entry : known.estimates) {
    SCOPED_TRACE(entry.named.name());
    if (auto interval = entry.widened.interval(0.9)) {
      EXPECT_LE(interval->upper, listed);
      EXPECT_EQ(entry.named.estimate.interval(0.9)->upper,
                unknown.of(entry.named.estimator).named.estimate.interval(0.9)->upper)
          << "the published one stays";
    }
    if (entry.widened.value && *entry.widened.value > listed) EXPECT_GE(entry.trust, Trust::Poor);
  }
}

TEST(Trust, WhereEverythingIsCoveredNothingIsEstimated) {
  Incidence data;
  data.matrix.emplace(12);
  for (uint32_t e = 0; e < 12; ++e) data.matrix->add(std::vector<uint32_t>{e});
  data.counts = tally(*data.matrix);
  EXPECT_GT(*analyse(data, quickTrust()).bestValue(), 12);
  data.listing = Listing{};
  Analysis all = analyse(data, quickTrust());
  EXPECT_TRUE(all.allCovered());
  EXPECT_EQ(all.bestValue(), 12);
  EXPECT_EQ(headline(all), "12 elements covered, and there are no more");
}
