// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Isotonic regression and reliability, against values worked by hand and brute force.
#include "psp/Isotonic.h"
#include "psp/Reliability.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace fathom::psp {
namespace {

using Block = Isotonic::Block;

TEST(Isotonic, PoolsNeighboursThatDoNotRise) {
  // Means 0, 1, 1/2, 1: the second and the third are one block.
  const std::vector<Labelled> alarms = {
      {0.1, false}, {0.2, true}, {0.3, false}, {0.3, true}, {0.9, true}};
  const Isotonic fit = Isotonic::fit(alarms);
  EXPECT_EQ(fit.blocks(), (std::vector<Block>{{0.1, 0}, {0.2, 2.0 / 3}, {0.9, 1}}));
  EXPECT_EQ(fit(0.0), 0);
  EXPECT_EQ(fit(0.1), 0);
  EXPECT_EQ(fit(0.25), 2.0 / 3);
  EXPECT_EQ(fit(0.9), 1);
  EXPECT_EQ(fit(1.0), 1);
}

TEST(Isotonic, PoolingGoesBack) {
  // 1, 1, 0, 0, 0: the first block grows three times.
  const std::vector<Labelled> alarms = {
      {0.1, true}, {0.2, true}, {0.3, false}, {0.4, false}, {0.5, false}};
  EXPECT_EQ(Isotonic::fit(alarms).blocks(), (std::vector<Block>{{0.1, 0.4}}));
}

TEST(Isotonic, APriorKeepsSmallBlocksFromCertainty) {
  const std::vector<Labelled> alarms = {{0.1, false}, {0.9, true}, {0.9, true}};
  const Isotonic fit = Isotonic::fit(alarms, 2);
  EXPECT_EQ(fit.blocks(), (std::vector<Block>{{0.1, 1.0 / 3}, {0.9, 0.75}}));
}

TEST(Isotonic, NothingIsTheIdentity) {
  const Isotonic fit = Isotonic::fit({});
  EXPECT_TRUE(fit.blocks().empty());
  EXPECT_EQ(fit(0.37), 0.37);
}

/// The least sum of squares of a rising function over the distinct scores: all ways of cutting them
/// into blocks are tried, each with its mean.
double bestByForce(const std::vector<Labelled> &alarms) {
  std::set<double> scores;
  for (const Labelled &a : alarms) scores.insert(a.score);
  const std::vector<double> distinct(scores.begin(), scores.end());
  double best = 1e9;
  for (unsigned cuts = 0; cuts < 1u << (distinct.size() - 1); ++cuts) {
    double error = 0, last = -1;
    bool rises = true;
    for (size_t from = 0; from < distinct.size();) {
      size_t to = from;
      while (to + 1 < distinct.size() && !(cuts >> to & 1)) ++to;
      double real = 0, all = 0;
      for (const Labelled &a : alarms)
        if (a.score >= distinct[from] && a.score <= distinct[to]) real += a.isReal, all += 1;
      rises &= real / all >= last;
      last = real / all;
      error += real * (1 - last) * (1 - last) + (all - real) * last * last;
      from = to + 1;
    }
    if (rises) best = std::min(best, error);
  }
  return best;
}

TEST(Isotonic, NoRisingFunctionFitsBetter) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Labelled> alarms;
    const unsigned distinct = 1 + rng.below(9), count = distinct + rng.below(20);
    for (unsigned i = 0; i < count; ++i)
      alarms.push_back({(i < distinct ? i : rng.below(distinct)) / 10.0, rng.below(2) == 0});
    const Isotonic fit = Isotonic::fit(alarms);
    double error = 0;
    for (const Labelled &a : alarms) error += std::pow(fit(a.score) - a.isReal, 2);
    EXPECT_NEAR(error, bestByForce(alarms), 1e-9);
    for (size_t i = 1; i < fit.blocks().size(); ++i)
      EXPECT_LT(fit.blocks()[i - 1].share, fit.blocks()[i].share);
  }
}

TEST(Isotonic, TheOneThatShipsRises) {
  const std::vector<Block> &blocks = Isotonic::shipped().blocks();
  ASSERT_FALSE(blocks.empty());
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(blocks[i].share > 0 && blocks[i].share < 1) << "an estimate is never certain";
    if (i)
      EXPECT_TRUE(blocks[i - 1].least < blocks[i].least && blocks[i - 1].share < blocks[i].share);
  }
}

TEST(Isotonic, TheDefinitionHasEveryBlock) {
  const std::string text = calibrationDefinition(Isotonic({{0.125, 0.25}, {0.5, 0.75}}));
  EXPECT_NE(text.find("FATHOM_CALIBRATION_BLOCK(0.125, 0.25)\n"
                      "FATHOM_CALIBRATION_BLOCK(0.5, 0.75)\n"),
            std::string::npos);
}

const std::vector<Labelled> kFour = {{0.95, true}, {0.9, false}, {0.25, false}, {0.05, true}};

TEST(Reliability, BrierIsTheMeanSquare) {
  EXPECT_NEAR(brierScore(kFour), (0.0025 + 0.81 + 0.0625 + 0.9025) / 4, 1e-12);
}

TEST(Reliability, BinsHaveMeansAndIntervals) {
  const std::vector<ReliabilityBin> bins = reliability(kFour);
  ASSERT_EQ(bins.size(), 10u);
  EXPECT_EQ(bins[9].alarms, 2u);
  EXPECT_EQ(bins[9].real, 1u);
  EXPECT_NEAR(bins[9].predicted, 0.925, 1e-12);
  // Wilson by hand, z = 1.6449: (0.5 + 2.7055 / 4 +- 1.6449 sqrt(0.125 + 2.7055 / 16)) / (1
  // + 1.3528).
  EXPECT_NEAR(bins[9].least, 0.1208, 5e-4);
  EXPECT_NEAR(bins[9].most, 0.8792, 5e-4);
  EXPECT_FALSE(bins[9].holds());
  // Where all are real, or none is, the interval ends at 1 or 0, without rounding.
  for (size_t n = 1; n < 200; ++n) {
    EXPECT_TRUE(reliability(std::vector<Labelled>(n, {1, true}))[9].holds()) << n;
    EXPECT_TRUE(reliability(std::vector<Labelled>(n, {0, false}))[0].holds()) << n;
  }
  EXPECT_EQ(bins[5].alarms, 0u);
  EXPECT_TRUE(bins[5].holds());
  EXPECT_EQ(reliability(std::vector<Labelled>{{1, true}})[9].alarms, 1u);
}

TEST(Reliability, ConfusionByHand) {
  const Confusion at = confusion(kFour, 0.9);
  EXPECT_EQ(at.truePositives, 1u);
  EXPECT_EQ(at.falsePositives, 1u);
  EXPECT_EQ(at.trueNegatives, 1u);
  EXPECT_EQ(at.falseNegatives, 1u);
  EXPECT_EQ(at.f1(), 0.5);
  EXPECT_EQ(at.mcc(), 0);
  const Confusion most = {3, 1, 5, 2};
  EXPECT_NEAR(most.precision(), 0.75, 1e-12);
  EXPECT_NEAR(most.truePositiveRate(), 0.6, 1e-12);
  EXPECT_NEAR(most.falsePositiveRate(), 1.0 / 6, 1e-12);
  EXPECT_NEAR(most.mcc(), 13 / std::sqrt(4.0 * 5 * 6 * 7), 1e-12);
}

TEST(Reliability, ASweepReportsEverythingAtZeroOnly) {
  const std::vector<SweepPoint> points = sweep(kFour, 2, 3, 10);
  ASSERT_EQ(points.size(), 11u);
  EXPECT_EQ(points[0].confusion.truePositives, 4u);
  EXPECT_EQ(points[0].confusion.falsePositives, 5u);
  EXPECT_EQ(points[1].confusion.truePositives, 1u);
  EXPECT_EQ(points[1].confusion.falseNegatives, 3u);
  EXPECT_EQ(points[10].confusion.falsePositives, 0u);
  for (size_t i = 1; i < points.size(); ++i)
    EXPECT_LE(points[i].confusion.truePositiveRate(), points[i - 1].confusion.truePositiveRate());
  const std::string plot = sweepPlot(points, "four alarms");
  EXPECT_NE(plot.find("four alarms"), std::string::npos);
  size_t curves = 0;
  for (size_t at = plot.find("<path"); at != std::string::npos; at = plot.find("<path", at + 1))
    ++curves;
  EXPECT_EQ(curves, 4u);
}

} // namespace
} // namespace fathom::psp
