// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Vectors.h"

#include "estimate/Analysis.h"
#include "estimate/AnalysisJson.h"
#include "estimate/AnalysisText.h"
#include "estimate/Plot.h"

#include <gtest/gtest.h>

#include <set>

using namespace fathom;
using namespace fathom::estimate;
using namespace fathom::estimate::test;

static AnalysisOptions quick() {
  AnalysisOptions options;
  options.estimators.replicates = 20;
  options.curveReplicates = 5;
  options.curvePoints = 5;
  return options;
}

TEST(Analysis, SortedByTrustThenByOrder) {
  for (const char *id :
       {"species_butterfly", "syn_twoclass", "deg_q1_zero", "deg_t1", "deg_heavy_singletons"}) {
    Analysis analysis = analyse(dataNamed(id), quick());
    ASSERT_EQ(analysis.estimates.size(), 15u);
    std::set<Estimator> seen;
    for (size_t i = 0; i < 15; ++i) {
      seen.insert(analysis.estimates[i].named.estimator);
      if (i == 0) continue;
      const TrustedEstimate &a = analysis.estimates[i - 1], &b = analysis.estimates[i];
      EXPECT_TRUE(a.trust < b.trust ||
                  (a.trust == b.trust && a.named.estimator < b.named.estimator));
    }
    EXPECT_EQ(seen.size(), 15u);
  }
}

TEST(Analysis, TrustRules) {
  Analysis twoClasses = analyse(dataNamed("syn_twoclass"), quick());
  EXPECT_EQ(twoClasses.of(Estimator::ChaoBunge).trust, Trust::None) << "negative duplication";
  EXPECT_EQ(twoClasses.of(Estimator::Chao2).trust, Trust::Fair) << "rare elements differ";
  EXPECT_EQ(twoClasses.of(Estimator::Jackknife2).remark, "corrects by a fixed rule");
  EXPECT_EQ(twoClasses.of(Estimator::Jackknife1).remark, "below Chao2's lower bound");
  Analysis oneUnit = analyse(dataNamed("deg_t1"), quick());
  EXPECT_EQ(oneUnit.of(Estimator::Chao2).trust, Trust::Poor);
  EXPECT_EQ(oneUnit.of(Estimator::Zelterman).trust, Trust::None);
  EXPECT_EQ(oneUnit.sampleCoverage, 0);
  Analysis saturated = analyse(dataNamed("deg_q1_zero"), quick());
  EXPECT_EQ(saturated.of(Estimator::Chao2).trust, Trust::Fair);
  EXPECT_EQ(saturated.of(Estimator::Chao2).remark,
            "nothing points to more, but nothing measured confirms it");
  EXPECT_EQ(saturated.of(Estimator::Jackknife2).trust, Trust::Poor) << "below what was observed";
  Analysis twoUnits = analyse(dataNamed("deg_t2"), quick());
  EXPECT_GE(twoUnits.of(Estimator::Zelterman).trust, Trust::Fair) << "a model for many units";
  Analysis singletons = analyse(dataNamed("deg_heavy_singletons"), quick());
  EXPECT_EQ(singletons.of(Estimator::Pnpmle).trust, Trust::Poor) << "25 times what was covered";
  EXPECT_NE(
      headline(analyse({*FrequencyCounts::make(30, {{1, 500}, {2, 1}}), std::nullopt}, quick()))
          .find("no estimator can be trusted to say how many can be reached"),
      std::string::npos);
  Analysis nothing = analyse({*FrequencyCounts::make(5, {}), std::nullopt}, quick());
  EXPECT_EQ(headline(nothing), "no elements were covered in 5 units");
  EXPECT_FALSE(nothing.singletonsAtMostDoubletons) << "nothing covered is no equilibrium";
}

// Doubling every element doubles the estimates but not what is known: errors are widened.
// With two units that covered the same, the formulas give what was observed, and the interval for
// that begins above it.
TEST(Analysis, IntervalsHoldAnEstimateThatEqualsTheObservedCount) {
  Incidence data;
  data.counts = *FrequencyCounts::make(2, {{2, 30}});
  const Analysis analysis = analyse(data, quick());
  unsigned fallbacks = 0;
  for (const TrustedEstimate &entry : analysis.estimates) {
    const Estimate &raw = entry.named.estimate, &told = entry.widened;
    if (told.status != Status::Fallback || !told.band) continue;
    ++fallbacks;
    EXPECT_GT(raw.interval(0.9)->lower, *raw.value);
    EXPECT_LE(told.interval(0.9)->lower, *told.value);
    EXPECT_GE(told.interval(0.9)->upper, *told.value);
  }
  EXPECT_GT(fallbacks, 0u);
}

TEST(Analysis, DuplicatedElementsWidenErrors) {
  Incidence once = dataNamed("syn_beta"), twice;
  twice.matrix.emplace(once.matrix->units());
  for (int copy = 0; copy < 2; ++copy)
    for (size_t i = 0; i < once.matrix->listed(); ++i) twice.matrix->add(once.matrix->row(i));
  twice.counts = tally(*twice.matrix);
  Analysis a = analyse(once, quick()), b = analyse(twice, quick());
  EXPECT_NEAR(b.units->designEffect / a.units->designEffect, 2, 0.15);
  const Estimate &plain = a.of(Estimator::Chao2).widened, &doubled = b.of(Estimator::Chao2).widened;
  EXPECT_NEAR(*doubled.value / *plain.value, 2, 1e-9);
  EXPECT_NEAR(*doubled.se / *plain.se, 2, 0.15);
  EXPECT_NEAR(*b.of(Estimator::Chao2).named.estimate.se / *a.of(Estimator::Chao2).named.estimate.se,
              std::sqrt(2), 0.01)
      << "the published error takes them for independent";
}

TEST(Analysis, Regroupings) {
  Analysis analysis = analyse(dataNamed("syn_beta"), quick());
  const auto &regroupings = analysis.best()->regroupings;
  ASSERT_EQ(regroupings.size(), 2u) << "60 units: by 2 and by 4";
  EXPECT_EQ(regroupings[1].r, 4u);
  ASSERT_TRUE(regroupings[0].agreement.has_value());
  EXPECT_TRUE(regroupings[0].agreement->mutual);
  EXPECT_TRUE(analyse(dataNamed("spader_cottontail_raw"), quick()).best()->regroupings.empty())
      << "18 units, too few";
}

// Whatever the data, the three forms come out without nan and inf.
TEST(Analysis, AllFormsOfAllData) {
  for (const Json &set : vectors()["datasets"]) {
    SCOPED_TRACE(set["id"].get<std::string>());
    Analysis analysis = analyse(dataOf(set), quick());
    for (const std::string &text : {analysisText(analysis), analysisSvg(analysis)}) {
      EXPECT_EQ(text.find("nan"), std::string::npos);
      EXPECT_EQ(text.find("inf "), std::string::npos);
      EXPECT_EQ(text.find("-inf"), std::string::npos);
    }
    Json json = Json::parse(analysisJson(analysis), nullptr, /*allow_exceptions=*/false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_EQ(json["observed"], set["S_obs"]);
    EXPECT_EQ(json["estimators"].size(), 15u);
  }
}

TEST(Analysis, StopRuleThatIsNotMetAnyMore) {
  Incidence data;
  data.matrix.emplace(6);
  data.matrix->add(std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
  Analysis met = analyse({tally(*data.matrix), data.matrix}, quick());
  EXPECT_NE(analysisText(met).find("met: no more singletons than doubletons; it first held for 3 "
                                   "units in a row from unit 2"),
            std::string::npos);
  data.matrix->add(std::vector<uint32_t>{5});
  Analysis again = analyse({tally(*data.matrix), data.matrix}, quick());
  EXPECT_NE(analysisText(again).find("not met now: more singletons than doubletons; it first held"),
            std::string::npos)
      << analysisText(again);
}

TEST(Analysis, Options) {
  FrequencyCounts counts = *FrequencyCounts::make(5, {{1, 8}});
  AnalysisOptions options;
  EXPECT_EQ(options.validate(counts), "");
  options.levels = {0.9, 1};
  EXPECT_EQ(options.validate(counts), "confidence level 1; expected a number between 0 and 1");
  options.levels.clear();
  EXPECT_NE(options.validate(counts), "");
  options = {};
  options.stopWindow = 0;
  EXPECT_NE(options.validate(counts), "");
  options = {};
  options.estimators.atMost = 7;
  EXPECT_EQ(options.validate(counts), "at most 7 elements, but 8 were observed");
}
