// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What going on for as long again brings, and the sentence that says so.
#include "estimate/Doubling.h"
#include "estimate/AnalysisText.h"

#include <gtest/gtest.h>

using namespace fathom::estimate;

namespace {

AnalysisOptions quick() {
  AnalysisOptions options;
  options.estimators.replicates = 0;
  options.curvePoints = 0;
  return options;
}

/// `firsts` elements are covered first in the unit of their place, and from there on in every unit.
Incidence foundIn(const std::vector<int> &firsts, int never = 0) {
  const auto units = static_cast<uint32_t>(firsts.size());
  Incidence data;
  data.matrix.emplace(units);
  for (uint32_t unit = 0; unit < units; ++unit) {
    std::vector<uint32_t> row;
    for (uint32_t u = unit; u < units; ++u) row.push_back(u);
    for (int i = 0; i < firsts[unit]; ++i) data.matrix->add(row);
  }
  for (int i = 0; i < never; ++i) data.matrix->add(std::vector<uint32_t>());
  data.counts = tally(*data.matrix);
  return data;
}

std::optional<Gain> gainOf(const std::vector<int> &firsts) {
  const Incidence data = foundIn(firsts);
  const UnitSeries series = unitSeries(*data.matrix);
  return gainOfDoubling(data.counts, &series, std::nullopt);
}

TEST(Doubling, IsWhatTheSecondHalfBroughtAndOneMore) {
  EXPECT_DOUBLE_EQ(gainOf({9, 0, 3, 1, 2, 0, 4, 0})->value, 7);
  EXPECT_DOUBLE_EQ(gainOf({9, 0, 3, 1, 0, 0, 0, 0})->value, 1);
  EXPECT_DOUBLE_EQ(gainOf({9, 0, 3, 1, 5, 0, 0, 0, 2})->value, 8) << "of nine units, five";
  EXPECT_FALSE(gainOf({9, 0, 3, 1, 2, 0, 4})) << "too few units";
}

TEST(Doubling, HasARangeAndNoMoreThanIsLeft) {
  Gain gain = gainAfter(19);
  EXPECT_DOUBLE_EQ(gain.value, 20);
  EXPECT_DOUBLE_EQ(gain.range.lower, 3);
  EXPECT_DOUBLE_EQ(gain.range.upper, 100);
  gain = gainAfter(19, 12);
  EXPECT_DOUBLE_EQ(gain.value, 12);
  EXPECT_DOUBLE_EQ(gain.range.lower, 0) << "the bound is no evidence that all of it comes";
  EXPECT_DOUBLE_EQ(gain.range.upper, 12);
  EXPECT_DOUBLE_EQ(gainAfter(0).range.lower, 0);
}

TEST(Doubling, OfCountsAloneIsWhatRaritySays) {
  const FrequencyCounts counts = *FrequencyCounts::make(20, {{1, 12}, {2, 6}, {20, 80}});
  EXPECT_DOUBLE_EQ(gainOfDoubling(counts, nullptr, std::nullopt)->value,
                   expectedNew(counts, 20) + 1);
}

TEST(Doubling, IsWorthItFromTwoElementsAndTwoInAThousand) {
  EXPECT_FALSE(isWorthGoingOn(1, 100));
  EXPECT_TRUE(isWorthGoingOn(2, 100));
  EXPECT_FALSE(isWorthGoingOn(9, 5000));
  EXPECT_TRUE(isWorthGoingOn(10, 5000));
}

TEST(Headline, SaysWhetherToGoOn) {
  const std::string found = headline(analyse(foundIn({40, 9, 3, 2, 2, 1, 3, 1}), quick()), "sides");
  EXPECT_EQ(found.find("61 sides covered; as many units again would cover about 8 more (90 %: 1 to "
                       "40): go on; "),
            0u)
      << found;
  const std::string still = headline(analyse(foundIn({40, 9, 3, 2, 0, 0, 0, 0}), quick()), "sides");
  EXPECT_EQ(
      still.find("54 sides covered; as many units again would cover about 1 more (90 %: 0 to 5): "
                 "hardly worth it; "),
      0u)
      << still;
  EXPECT_NE(headline(analyse(foundIn({40, 9, 3}), quick())).find("3 units are too few to say"),
            std::string::npos);
}

TEST(Headline, SaysThatTheGainDeniesTheEstimators) {
  std::vector<int> firsts(20, 0);
  firsts[0] = 60;
  firsts[12] = 15;
  const std::string sentence = headline(analyse(foundIn(firsts), quick()));
  EXPECT_NE(sentence.find("75 elements covered; as many units again would cover about 16 more (90 "
                          "%: 2 to 80): go on; "),
            std::string::npos)
      << sentence;
  EXPECT_TRUE(sentence.ends_with("which that gain denies: rely on none")) << sentence;
}

// A campaign that stands still: the twelve see nothing more, whatever is left; generated programs
// had more. Neither is the answer.
TEST(Headline, NamesBothAnswersWhereTheyContradictEachOther) {
  Incidence data = foundIn(std::vector<int>(40, 0), 90);
  std::vector<uint32_t> all(40);
  for (uint32_t unit = 0; unit < 40; ++unit) all[unit] = unit;
  for (int i = 0; i < 410; ++i) data.matrix->add(all);
  data.matrix->setExecutions(1600000);
  data.counts = tally(*data.matrix);
  const Analysis analysis = analyse(data, quick());
  const std::optional<EstimateSpread> spread = analysis.spread();
  ASSERT_TRUE(spread);
  EXPECT_TRUE(spread->isContradicted);
  EXPECT_GT(spread->rarities, 0u);
  EXPECT_LE(spread->ofRarity.upper, 411);
  const std::string sentence = headline(analysis);
  EXPECT_NE(sentence.find("410 can be reached judging by how rare they are, but 486 (90 %: "),
            std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("judging by generated programs: rely on neither"), std::string::npos);
}

// No number of the sentence is one that other estimators deny: its range has all that are better
// than poor.
TEST(Headline, HasTheRangeOfAllThatFitTheData) {
  Incidence data;
  data.counts = *FrequencyCounts::make(18, {{1, 43}, {2, 16}, {3, 8}, {4, 6}, {6, 2}, {7, 1}});
  const Analysis analysis = analyse(data, quick());
  const EstimateSpread spread = *analysis.spread();
  size_t count = 0;
  for (const TrustedEstimate &entry : analysis.estimates) {
    if (entry.trust >= Trust::Poor) continue;
    ++count;
    EXPECT_GE(*entry.widened.value, spread.values().lower);
    EXPECT_LE(*entry.widened.value, spread.values().upper);
  }
  EXPECT_EQ(spread.count(), count);
  EXPECT_FALSE(spread.isContradicted);
  const std::string sentence = headline(analysis);
  EXPECT_NE(sentence.find(std::to_string(count) + " estimators"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("about 145"), std::string::npos);
}

} // namespace
