// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers that any estimator has to be better than, the limit of campaigns that the calibration
// speaks for, and the one answer that a campaign shows while it runs.
#include "estimate/Baselines.h"
#include "estimate/Analysis.h"
#include "estimate/AnalysisText.h"
#include "estimate/Calibrate.h"
#include "estimate/Distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace fathom;
using namespace fathom::estimate;

namespace {

AnalysisOptions quickBaselines() {
  AnalysisOptions options;
  options.estimators.replicates = 0;
  options.curvePoints = 0;
  return options;
}

/// `reachable` of `elements`, spread widely in rarity, in units of which `executions` is the sum.
Incidence campaign(uint32_t units, int elements, int reachable, std::optional<double> executions,
                   uint64_t seed = 1) {
  Rng rng(seed);
  IncidenceMatrix matrix(units);
  matrix.setExecutions(executions);
  for (int i = 0; i < elements; ++i) {
    std::vector<uint32_t> row;
    const double chance = std::pow(10, -3.5 * uniform01(rng));
    for (uint32_t unit = 0; i < reachable && unit < units; ++unit)
      if (uniform01(rng) < chance) row.push_back(unit);
    matrix.add(row);
  }
  return {tally(matrix), matrix};
}

/// Nine programs whose shares are 0.1 to 0.9, each with one campaign of which nothing else counts.
Calibration nine() {
  Calibration calibration;
  calibration.programs = 9;
  for (uint32_t i = 0; i < 9; ++i)
    calibration.scores.push_back({i, 0, 0, 0.1 * (i + 1), i < 8 ? 1.0 : 2.0});
  return calibration;
}

} // namespace

TEST(Baselines, TheConstantIsTheWeightedMeanOfShares) {
  EXPECT_NEAR(nine().share(), (4.5 + 0.9) / 10, 1e-12); // the last one counts twice
  // Two campaigns of one program count half each.
  Calibration calibration = nine();
  calibration.scores.push_back({0, 0, 0, 0.5, 1});
  EXPECT_NEAR(calibration.share(), (4.4 + 0.3 + 0.9) / 10, 1e-12);
}

TEST(Baselines, OfCountsAlone) {
  Incidence data{*FrequencyCounts::make(12, {{1, 20}, {6, 80}}), std::nullopt};
  EXPECT_EQ(constantShare(data, std::nullopt, nine()).status, Status::NotEstimable);
  EXPECT_EQ(allElements(data).status, Status::NotEstimable);
  Estimate share = constantShare(data, 300, nine());
  EXPECT_NEAR(*share.value, 100 + 0.54 * 200, 1e-9);
  // Weights of 1/10: 0.2 lies below 0.2, which is more than an eighth.
  EXPECT_NEAR(share.interval(0.75)->lower, 100 + 0.2 * 200, 20 + 1e-9);
  EXPECT_LE(share.interval(0.75)->upper, 300);
  EXPECT_EQ(share.interval(0.99)->lower, 100);
  EXPECT_EQ(share.interval(0.99)->upper, 300);
  EXPECT_EQ(*allElements(data, 300).value, 300);
  EXPECT_FALSE(allElements(data, 300).band);
  EXPECT_EQ(constantShare(data, 100, nine()).status, Status::Fallback);
  EXPECT_EQ(constantShare(data, 99, nine()).reason, "at most 99 elements, but 100 were covered");
}

// The library's constant is that of its own calibration: what fitLine finds without features.
TEST(Baselines, TheBuiltinConstantIsFitted) {
  const Calibration &builtin = builtinCalibration();
  EXPECT_NEAR(builtin.share(), 0.84, 0.01);
  double sum = 0, all = 0; // of the mean over the campaigns of a program, which are two or one
  std::vector<int> campaigns(builtin.programs, 0);
  for (const Calibration::Score &score : builtin.scores) campaigns[score.program]++;
  for (const Calibration::Score &score : builtin.scores) {
    ASSERT_GE(score.share, 0);
    ASSERT_LE(score.share, 1);
    sum += score.weight * score.share / campaigns[score.program];
    all += score.weight / campaigns[score.program];
  }
  EXPECT_NEAR(builtin.share(), sum / all, 1e-12);
  // A regression without features finds the same: cases with these shares and weights.
  std::vector<CalibrationCase> cases;
  for (const Calibration::Score &score : builtin.scores)
    if (score.weight > 0) {
      // N - D = 1, S = 1/weight: D = S - share.
      const double reachable = 1 / score.weight, observed = reachable - score.share;
      cases.push_back({score.program, {}, observed, observed + 1, reachable});
    }
  EXPECT_NEAR(1 / (1 + std::exp(-fitLine(cases, 1).at({}))), builtin.share(), 0.002);
}

// Campaigns sixty times as long as the longest of the calibration are not answered; the constant
// share, which looks at nothing, is.
TEST(Baselines, LongCampaignsAreUnlikeTheCalibrations) {
  Analysis known = analyse(campaign(96, 400, 350, 20000), quickBaselines());
  ASSERT_EQ(known.of(Estimator::Calibrated).named.estimate.status, Status::Ok)
      << known.of(Estimator::Calibrated).named.estimate.reason;
  EXPECT_EQ(known.best()->named.estimator, Estimator::Calibrated);
  Analysis longer = analyse(campaign(96, 400, 350, 1600000), quickBaselines());
  const TrustedEstimate &refused = longer.of(Estimator::Calibrated);
  EXPECT_EQ(refused.named.estimate.status, Status::NotEstimable);
  EXPECT_EQ(refused.remark, "unlike the calibration's campaigns: the number of executions is "
                            "1600000, there it was 1008 to 24480");
  EXPECT_EQ(longer.best()->named.estimator, Estimator::ConstantShare);
  EXPECT_NE(analysisText(longer).find("constant share"), std::string::npos);
  EXPECT_EQ(longer.best()->remark,
            "the same share for every campaign; measured in far shorter ones");
  // Unknown: answered, and said.
  Analysis unknown = analyse(campaign(96, 400, 350, std::nullopt), quickBaselines());
  EXPECT_EQ(unknown.of(Estimator::Calibrated).remark,
            "errors as measured on generated programs; number of executions unknown");
  EXPECT_EQ(*unknown.of(Estimator::Calibrated).widened.value,
            *known.of(Estimator::Calibrated).widened.value);
}

TEST(Baselines, ExecutionsFollowTheUnits) {
  IncidenceMatrix matrix = *campaign(96, 100, 90, 9600).matrix;
  EXPECT_EQ(*firstUnits(matrix, 24).executions(), 2400);
  EXPECT_EQ(*regroup(matrix, 5).executions(), 9500);
  matrix.setExecutions(std::nullopt);
  EXPECT_FALSE(regroup(matrix, 5).executions());
}

// An estimate without a singleton is precise, and contradicts what was measured: it is not good.
TEST(Baselines, PreciseIsNotGood) {
  IncidenceMatrix matrix(40);
  matrix.setExecutions(1600000);
  std::vector<uint32_t> all(40);
  for (uint32_t unit = 0; unit < 40; ++unit) all[unit] = unit;
  for (int i = 0; i < 500; ++i) matrix.add(i < 410 ? all : std::vector<uint32_t>());
  Analysis still = analyse({tally(matrix), matrix}, quickBaselines());
  const TrustedEstimate &chao2 = still.of(Estimator::Chao2);
  EXPECT_EQ(chao2.trust, Trust::Fair);
  EXPECT_EQ(chao2.remark, "contradicts the constant share's interval");
  ASSERT_TRUE(still.spread());
  EXPECT_TRUE(still.spread()->isContradicted);
  EXPECT_NE(headline(still).find("rely on neither"), std::string::npos) << headline(still);
}

// What the live line shows: while a campaign grows by a unit at a time, and becomes too long for
// the calibration on the way, both ends go on from where they were.
TEST(Baselines, TheRoomMovesSmoothly) {
  const Incidence whole = campaign(120, 600, 450, 180000, 5);
  std::optional<Interval> last;
  std::set<const char *> best;
  uint64_t covered = 0;
  for (uint32_t units = 12; units <= 120; ++units) {
    IncidenceMatrix matrix = firstUnits(*whole.matrix, units);
    Incidence data{tally(matrix), std::move(matrix)};
    Analysis analysis = analyse(data, quickBaselines());
    best.insert(analysis.best()->named.name());
    const std::optional<Interval> room = analysis.room();
    ASSERT_TRUE(room);
    EXPECT_GE(room->lower, static_cast<double>(data.counts.observed()));
    EXPECT_LE(room->upper, 600);
    if (last) {
      const double more = static_cast<double>(data.counts.observed() - covered);
      EXPECT_NEAR(room->lower, last->lower, 20 + 3 * more) << units;
      EXPECT_NEAR(room->upper, last->upper, 1 + more) << units;
    }
    last = room;
    covered = data.counts.observed();
  }
  EXPECT_GT(best.size(), 1u) << "the most trusted estimator changed on the way";
  EXPECT_GE(last->upper, 450);
}
