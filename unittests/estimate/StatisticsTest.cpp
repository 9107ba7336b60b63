// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests on samples, bias and coverage, against R.
#include "Vectors.h"

#include "estimate/Distributions.h"

#include "estimate/Accuracy.h"
#include "estimate/SampleTests.h"

#include <gtest/gtest.h>

using namespace fathom::estimate;
using namespace fathom::estimate::test;

static void near(double got, const Json &expected, const char *what) {
  EXPECT_LE(relativeError(got, expected.get<double>()), 1e-6)
      << what << ": got " << got << ", expected " << expected;
}

TEST(Statistics, TwoSamplesAgainstR) {
  int samples = 0;
  for (const Json &set : vectors()["stat_tests"]["two_sample"]) {
    SCOPED_TRACE(set["id"].get<std::string>());
    auto a = set["a"].get<std::vector<double>>(), b = set["b"].get<std::vector<double>>();
    WelchTest welch = *welchTest(a, b);
    near(welch.statistic, set["welch"]["t"], "t");
    near(welch.freedom, set["welch"]["df"], "df");
    near(welch.p, set["welch"]["p"], "p");
    near(welch.difference, set["welch"]["diff"], "difference");
    for (auto [key, level] : {std::pair("ci90", 0.9), std::pair("ci95", 0.95)}) {
      near(welch.interval(level).lower, set["welch"][key][0], key);
      near(welch.interval(level).upper, set["welch"][key][1], key);
    }
    const Json &ranks = set["mann_whitney"];
    MannWhitneyTest mannWhitney = *mannWhitneyTest(a, b);
    near(mannWhitney.u, ranks["U_a"], "U");
    near(mannWhitney.pNormal, ranks["p_normal_cc"], "normal p");
    EXPECT_EQ(mannWhitney.exact, !ranks["ties"].get<bool>());
    if (has(ranks, "p_exact")) near(mannWhitney.p, ranks["p_exact"], "exact p");
    for (auto [key, sample] : {std::pair("normality_a", &a), std::pair("normality_b", &b)}) {
      const Json &expected = set[key];
      NormalityTest shapiro = *shapiroWilk(*sample);
      near(shapiro.statistic, expected["shapiro_W"], "W");
      near(shapiro.p, expected["shapiro_p"], "Shapiro p");
      std::optional<NormalityTest> anderson = andersonDarling(*sample);
      ASSERT_EQ(anderson.has_value(), has(expected, "ad_A"));
      if (!anderson) continue;
      near(anderson->statistic, expected["ad_A"], "A");
      near(anderson->p, expected["ad_p"], "Anderson p");
    }
    samples++;
  }
  EXPECT_EQ(samples, 5);
}

TEST(Statistics, AccuracyAgainstR) {
  const Json &set = vectors()["stat_tests"]["accuracy"];
  std::vector<Estimate> trials;
  for (size_t i = 0; i < set["estimates"].size(); ++i) {
    Estimate e;
    double value = set["estimates"][i], low = set["ci_low"][i], high = set["ci_high"][i];
    e.status = Status::Ok;
    e.value = e.raw = value;
    e.band = Band::percentile({low, high}); // at level almost 1 these two
    trials.push_back(e);
  }
  Accuracy result = accuracy(trials, set["S"], 1 - 1e-12);
  near(result.meanBias, set["mean_bias"], "bias");
  near(result.imprecision, set["imprecision_variance_of_bias"], "imprecision");
  near(result.populationImprecision, set["imprecision_population_variance"], "imprecision");
  near(*result.coverage(), set["ci_coverage"], "coverage");
  EXPECT_EQ(result.covered, set["n_covered"].get<uint64_t>());
  Interval exact = clopperPearson(result.covered, result.trials, 0.95);
  near(exact.lower, set["coverage_clopper_pearson95"][0], "Clopper-Pearson");
  near(exact.upper, set["coverage_clopper_pearson95"][1], "Clopper-Pearson");
  Interval score = wilson(result.covered, result.trials, 0.95);
  near(score.lower, set["coverage_wilson95"][0], "Wilson");
  near(score.upper, set["coverage_wilson95"][1], "Wilson");
}

// Worked by hand. 2 of 2, 0 of 2, 1 of 2: share 1/2; between (2/4 + 2/4 + 0)/2 = 1/2, within
// (0 + 0 + 2/4)/3 = 1/6, typical size (6 - 12/6)/2 = 2; rho = (1/2 - 1/6)/(1/2 + 1/6) = 1/2;
// 6/(1 + (2 - 1)/2) = 4.
TEST(Statistics, IndependentTrials) {
  auto of = [](std::vector<Tally> clusters) { return effectiveSampleSize(clusters); };
  EXPECT_NEAR(of({{2, 2}, {0, 2}, {1, 2}}), 4, 1e-12);
  EXPECT_NEAR(of({{5, 5}, {0, 5}, {0, 0}}), 2, 1e-12) << "clusters that differ in all";
  EXPECT_EQ(of({{1, 2}, {1, 2}}), 4) << "clusters that do not differ";
  EXPECT_EQ(of({{0, 3}, {0, 4}}), 7) << "nor do these";
  EXPECT_EQ(of({{1, 1}, {0, 1}, {1, 1}}), 3) << "one trial each";
  EXPECT_EQ(of({{3, 8}}), 8) << "one cluster";
  EXPECT_EQ(of({}), 0);
  Interval half = clopperPearson(1.25, 2.5, 0.95); // numbers that are not whole
  EXPECT_NEAR(half.lower, 1 - half.upper, 1e-9);
  EXPECT_GT(half.lower, clopperPearson(1, 2, 0.95).lower);
  EXPECT_LT(half.lower, clopperPearson(2, 4, 0.95).lower);
}

TEST(Statistics, TrialsWithoutAnswerAreCounted) {
  Estimate good;
  good.status = Status::Ok;
  good.value = 110;
  good.band = Band::wald(110, 10, 0);
  Estimate pointOnly;
  pointOnly.status = Status::VarianceUnavailable;
  pointOnly.value = 90;
  std::vector<Estimate> trials{good, pointOnly, notEstimable("no")};
  Accuracy result = accuracy(trials, 100, 0.95);
  EXPECT_EQ(result.trials, 3u);
  EXPECT_EQ(result.withValue, 2u);
  EXPECT_EQ(result.withInterval, 1u);
  EXPECT_EQ(result.covered, 1u);
  EXPECT_NEAR(result.meanBias, 0, 1e-12);
  EXPECT_FALSE(accuracy(std::span(trials).subspan(2), 100, 0.95).coverage().has_value());
}

TEST(Statistics, ConstantAndShortSamples) {
  std::vector<double> same{2, 2, 2, 2}, other{3, 3, 3}, one{1};
  EXPECT_EQ(welchTest(same, same)->p, 1);
  EXPECT_EQ(welchTest(same, other)->p, 0);
  EXPECT_FALSE(welchTest(same, one).has_value());
  EXPECT_EQ(mannWhitneyTest(same, same)->p, 1);
  EXPECT_EQ(mannWhitneyTest(same, same)->effect, 0.5);
  EXPECT_EQ(mannWhitneyTest(other, same)->effect, 1);
  EXPECT_FALSE(mannWhitneyTest(same, {}).has_value());
  EXPECT_EQ(shapiroWilk(same)->p, 0);
  EXPECT_FALSE(shapiroWilk(one).has_value());
  EXPECT_TRUE(compareSamples(same, other)->byRanks) << "a constant sample is not normal";
}

// The exact distribution against all orders of small samples.
TEST(Statistics, SignedRanksExactByEnumeration) {
  for (unsigned signs = 0; signs < 1u << 7; ++signs) {
    auto sum = [](unsigned positive) {
      double v = 0;
      for (unsigned i = 0; i < 7; ++i) v += positive >> i & 1 ? i + 1 : 0;
      return v;
    };
    std::vector<double> values;
    for (int i = 0; i < 7; ++i) values.push_back(signs >> i & 1 ? i + 1.5 : -i - 1.5);
    SignedRankTest test = signedRankTest(values);
    EXPECT_EQ(test.v, sum(signs));
    double atLeast = 0;
    for (unsigned other = 0; other < 1u << 7; ++other)
      atLeast += std::fabs(sum(other) - 14) >= std::fabs(test.v - 14);
    EXPECT_TRUE(test.exact);
    EXPECT_NEAR(test.p, atLeast / 128, 1e-12) << signs;
  }
}

// R's data set `sleep`, in tenths.
TEST(Statistics, PairsOfSleep) {
  const std::vector<double> a{7, -16, -2, -12, -1, 34, 37, 8, 0, 20},
      b{19, 8, 11, 1, -1, 44, 55, 16, 46, 34};
  std::vector<double> differences;
  for (size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  SignedRankTest ranks = signedRankTest(differences); // one zero, one tie
  EXPECT_EQ(ranks.v, 0);
  EXPECT_NEAR(ranks.p, 2.0 / 512, 1e-12); // all nine that are not 0 are negative
  // Shapiro-Wilk rejects that the differences are normal (one is far out), so ranks decide.
  Comparison pairs = *comparePairs(a, b);
  EXPECT_TRUE(pairs.byRanks);
  EXPECT_NEAR(pairs.p, ranks.p, 1e-12);
  EXPECT_NEAR(pairs.effect, 0.05, 1e-12);
  // Without it: t.
  const std::vector<double> c(b.begin(), b.begin() + 8), d(a.begin(), a.begin() + 8);
  Comparison normal = *comparePairs(c, d);
  EXPECT_FALSE(normal.byRanks);
  // Differences 12 24 13 13 0 10 18 8: mean 12.25, variance 352.5 / 7 less nothing else.
  double squares = 0;
  for (double x : {12, 24, 13, 13, 0, 10, 18, 8}) squares += (x - 12.25) * (x - 12.25);
  EXPECT_NEAR(normal.p, studentTwoSided(12.25 / std::sqrt(squares / 7 / 8), 7), 1e-12);
  // What campaigns have in common with themselves does not hide a shift.
  EXPECT_LT(normal.p, compareSamples(c, d)->p);
}

TEST(Statistics, PairsWithoutDifference) {
  const std::vector<double> a{1, 2, 3}, b{2, 3, 4};
  EXPECT_EQ(comparePairs(a, a)->p, 1);
  EXPECT_TRUE(comparePairs(a, b)->byRanks); // equal differences: no spread
  EXPECT_FALSE(comparePairs(std::vector<double>{1}, std::vector<double>{2}));
}

TEST(Statistics, MannWhitneyExactByEnumeration) {
  for (unsigned chosen = 0; chosen < 1u << 9; ++chosen) {
    if (__builtin_popcount(chosen) != 4) continue;
    std::vector<double> a, b;
    for (unsigned i = 0; i < 9; ++i) (chosen >> i & 1 ? a : b).push_back(i);
    MannWhitneyTest test = *mannWhitneyTest(a, b);
    double atLeast = 0, all = 0;
    for (unsigned other = 0; other < 1u << 9; ++other) {
      if (__builtin_popcount(other) != 4) continue;
      double u = 0;
      for (unsigned i = 0; i < 9; ++i)
        for (unsigned j = 0; j < i; ++j) u += (other >> i & 1) && !(other >> j & 1);
      atLeast += std::fabs(u - 10) >= std::fabs(test.u - 10);
      all++;
    }
    EXPECT_NEAR(test.p, atLeast / all, 1e-12) << chosen;
  }
}

TEST(Statistics, Holm) {
  std::vector<double> p{0.01, 0.04, 0.03, 0.5};
  std::vector<double> adjusted = holm(p);
  EXPECT_NEAR(adjusted[0], 0.04, 1e-12);
  EXPECT_NEAR(adjusted[1], 0.09, 1e-12);
  EXPECT_NEAR(adjusted[2], 0.09, 1e-12);
  EXPECT_NEAR(adjusted[3], 0.5, 1e-12);
  EXPECT_TRUE(holm({}).empty());
}

TEST(Statistics, Agreement) {
  auto make = [](double value, double se) {
    Estimate e;
    e.status = Status::Ok;
    e.value = value;
    e.band = Band::wald(value, se, 0);
    return e;
  };
  Agreement close = *agreement(make(100, 10), make(105, 10), 0.9);
  EXPECT_TRUE(close.mutual && close.overlap);
  Agreement apart = *agreement(make(100, 10), make(125, 10), 0.9);
  EXPECT_TRUE(!apart.mutual && apart.overlap);
  Agreement oneSided = *agreement(make(100, 1), make(110, 10), 0.9);
  EXPECT_TRUE(!oneSided.mutual && oneSided.overlap) << "only one value is in the other's interval";
  Agreement far = *agreement(make(100, 1), make(120, 1), 0.9);
  EXPECT_TRUE(!far.mutual && !far.overlap);
  EXPECT_FALSE(agreement(make(1, 1), notEstimable("no"), 0.9).has_value());
}
