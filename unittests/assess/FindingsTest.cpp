// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures of a study whose trials are written down by hand, against values worked out by hand; and
// of simulated campaigns of known truth, against the same figures computed another way and against
// what the model predicts.
#include "Support.h"

#include "assess/Report.h"
#include "estimate/Estimators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace fathom;
using namespace fathom::assess;
using estimate::Estimator;
using estimate::Interval;

namespace {

/// One trial in which every estimator says the same: at the end, and with units of size 1 and 2.
struct Said {
  double value, lower, upper; ///< of the trial, and of units of size 1
  double joined, joinedLower, joinedUpper;
};

StoredAnswer stored(double value, double lower, double upper) {
  StoredAnswer answer;
  answer.status = estimate::Status::Ok;
  answer.value = answer.raw = value;
  answer.intervals[0] = {Interval{lower, upper}};
  answer.intervals[1] = {Interval{lower - 5, upper + 5}};
  return answer;
}

Measured trial(const Said &said) {
  const size_t n = estimate::allEstimators().size();
  Measured measured;
  measured.accumulation = {70, 80};
  measured.snapshots = {{2, 80, Answers(n, stored(said.value, said.lower, said.upper))}};
  const StoredAnswer joined = stored(said.joined, said.joinedLower, said.joinedUpper);
  measured.joined = {{1, false, 80, measured.snapshots[0].answers},
                     {2, false, 80, Answers(n, joined)},
                     {2, true, 80, measured.snapshots[0].answers}};
  return measured;
}

MeasureOptions handOptions() {
  MeasureOptions options;
  options.levels = {0.90};
  options.sizes = {1, 2};
  options.points = 1;
  return options;
}

} // namespace

TEST(Findings, AreWhatIsWorkedOutByHand) {
  ProgramTrials program{"p", 100, {}};
  // Biases -0.1, 0, +0.1, +0.4; the truth 100 lies in the first three intervals.
  for (const Said &said : {Said{90, 80, 100, 99, 95, 103}, Said{100, 95, 106, 110, 104, 116},
                           Said{110, 100, 120, 121, 115, 130}, Said{140, 120, 150, 154, 151, 160}})
    program.trials.push_back(trial(said));
  Findings findings = judge({program}, handOptions());
  ASSERT_EQ(findings.programs.size(), 1u);
  const ProgramFindings &p = findings.programs[0];
  EXPECT_EQ(p.meanObserved, 80);
  const AccuracyAt &at = p.accuracy[0].back();
  EXPECT_EQ(at.units, 2u);
  EXPECT_NEAR(at.accuracy.meanBias, 0.1, 1e-12);
  // Deviations -0.2, -0.1, 0, 0.3: squares 0.04 + 0.01 + 0 + 0.09 = 0.14.
  EXPECT_NEAR(at.accuracy.imprecision, 0.14 / 3, 1e-12);
  EXPECT_NEAR(at.accuracy.populationImprecision, 0.14 / 4, 1e-12);
  EXPECT_NEAR(at.accuracy.medianBias, 0.05, 1e-12);
  EXPECT_EQ(at.coverage[0][0].hits, 3u);
  EXPECT_EQ(at.coverage[0][0].of, 4u);
  EXPECT_EQ(at.coverage[1][0].hits, 3u); // 115 is above 100 as well

  const SizePair &pair = p.pairs[0].at(0);
  EXPECT_EQ(pair.trials, 4u);
  EXPECT_NEAR(*pair.shift, 0.1, 1e-12);
  EXPECT_EQ(*pair.shiftShuffled, 0);
  // [80,100] meets [95,103], [95,106] [104,116], [100,120] [115,130]; [120,150] not [151,160].
  EXPECT_EQ(pair.overlap.hits, 3u);
  EXPECT_EQ(pair.overlap.of, 4u);
  // Both ways: 90 not in [95,103]; 100 not in [104,116]; 110 not in [115,130]; 140 not in ...
  EXPECT_EQ(pair.mutual.hits, 0u);
  // With 5 on both sides: [90,108] has 90 and [75,105] has 99; [99,121] has 100 and [90,111] has
  // 110; [110,135] has 110 and [95,125] has 121; [146,165] does not have 140.
  EXPECT_EQ(pair.mutualBlocks.hits, 3u);
  EXPECT_EQ(pair.overlapBlocks.hits, 4u);
  // Welch: means 110 and 121, variances 1400/3 and 1694/3: t = -11 / sqrt(3094/12) = -0.68504,
  // df = (3094/12)^2 / ((1400/12)^2/3 + (1694/12)^2/3) = 5.9463; p by numerical integration of the
  // density: 0.5191.
  ASSERT_TRUE(pair.test);
  EXPECT_FALSE(pair.test->byRanks);
  EXPECT_NEAR(pair.test->p, 0.5191, 1e-3);
  // U: pairs with the first larger: 110 > 99; 140 > 99, 110, 121; 100 > 99; and one tie.
  EXPECT_NEAR(pair.test->effect, 5.5 / 16, 1e-12);

  const Verdict &verdict = findings.verdicts[0];
  EXPECT_EQ(verdict.accuracy, Outcome::TooFew); // four trials, whatever they say
  EXPECT_EQ(verdict.unitSizes, Outcome::TooFew);
  EXPECT_EQ(
      verdict.accuracyReason,
      "the truth lies in 3 of 4 (75 %) of the 90 % intervals; 4 trials, and a verdict needs 10");
  EXPECT_NEAR(verdict.meanBias, 0.1, 1e-12);
}

TEST(Findings, HolmIsOverAllProgramsOfAnEstimator) {
  // Eight values against eight that are all larger by as much: U = 0, p = 2 / C(16, 8) for two
  // samples; 2 / 2^8 for pairs, which is what counts.
  auto make = [](const char *name, double by) {
    ProgramTrials program{name, std::nullopt, {}};
    for (double v : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 90.0}) // far from normal
      program.trials.push_back(trial({v, v, v, v + by, v + by, v + by}));
    return program;
  };
  Findings findings = judge({make("moves", 100), make("stays", 0)}, handOptions());
  const SizePair &moves = findings.programs[0].pairs[0][0],
                 &stays = findings.programs[1].pairs[0][0];
  EXPECT_TRUE(moves.test->byRanks);
  EXPECT_NEAR(moves.test->p, 2.0 / 12870, 1e-9);
  EXPECT_NEAR(moves.paired->p, 2.0 / 256, 1e-12);
  EXPECT_NEAR(moves.adjusted, 2 * 2.0 / 256, 1e-12);
  EXPECT_TRUE(moves.significant());
  EXPECT_EQ(stays.test->p, 1);
  EXPECT_EQ(stays.adjusted, 1);
  EXPECT_TRUE(findings.programs[0].accuracy.empty());
  const Verdict &verdict = findings.verdicts[0];
  EXPECT_EQ(verdict.accuracy, Outcome::NotTested); // the truth is unknown
  EXPECT_EQ(verdict.unitSizes, Outcome::Refuted);
  EXPECT_EQ(verdict.shifts, 1u);
  EXPECT_EQ(verdict.compared, 2u);
  EXPECT_EQ(verdict.overlap.hits, 8u); // points that are equal meet
  EXPECT_EQ(verdict.overlap.of, 16u);
  EXPECT_NE(verdict.unitSizesReason.find("on moves between units of 1 and 2"), std::string::npos)
      << verdict.unitSizesReason;
}

TEST(Findings, TrialsWithoutAValueAreCountedNotDropped) {
  ProgramTrials program{"p", 100, {}};
  for (int i = 0; i < 3; ++i) program.trials.push_back(trial({100, 90, 110, 100, 90, 110}));
  StoredAnswer none;
  none.intervals[0].resize(1), none.intervals[1].resize(1);
  program.trials[1].snapshots[0].answers[0] = none;
  program.trials[1].joined[1].answers[0] = none;
  program.trials[2].snapshots[0].answers[0].status = estimate::Status::Capped;
  Findings findings = judge({program, ProgramTrials{"none", 5, {}}}, handOptions());
  EXPECT_EQ(findings.programs.size(), 1u); // one without trials is left out
  const Verdict &verdict = findings.verdicts[0];
  EXPECT_EQ(verdict.trials, 3u);
  EXPECT_EQ(verdict.withValue, 2u);
  EXPECT_EQ(verdict.capped, 1u);
  EXPECT_EQ(verdict.coverage[0][0].of, 2u);
  EXPECT_EQ(findings.programs[0].pairs[0][0].trials, 2u);
  EXPECT_EQ(findings.verdicts[1].withValue, 3u);
}

TEST(Findings, RefutesOnlyWhatIsBelowTheClaimForSure) {
  auto verdictOf = [](int hits, int of) {
    ProgramTrials program{"p", 100, {}};
    for (int i = 0; i < of; ++i) {
      double v = i < hits ? 100 : 50;
      program.trials.push_back(trial({v, v - 10, v + 10, v, v - 10, v + 10}));
    }
    return judge({program}, handOptions()).verdicts[0].accuracy;
  };
  // Clopper and Pearson's upper ends (95 %): 6/10 0.878, 7/10 0.933; 23/30 0.9007, 22/30 0.877.
  EXPECT_EQ(verdictOf(0, 9), Outcome::TooFew);
  EXPECT_EQ(verdictOf(6, 10), Outcome::Refuted);
  EXPECT_EQ(verdictOf(7, 10), Outcome::NotRefuted);
  EXPECT_EQ(verdictOf(23, 30), Outcome::NotRefuted);
  EXPECT_EQ(verdictOf(22, 30), Outcome::Refuted);
}

// Ten trials of one program whose intervals all miss, and ten of another's that all hold the truth,
// are no twenty independent trials but two.
TEST(Findings, TrialsOfAProgramAreAlike) {
  auto make = [](const char *name, double value, int trials) {
    ProgramTrials program{name, 100, {}};
    for (int i = 0; i < trials; ++i)
      program.trials.push_back(
          trial({value, value - 10, value + 10, value, value - 10, value + 10}));
    return program;
  };
  Verdict split =
      judge({make("misses", 50, 10), make("holds", 100, 10)}, handOptions()).verdicts[0];
  EXPECT_EQ(split.coverage[0][0].hits, 10u);
  EXPECT_NEAR(split.coverage[0][0].effectiveSize(), 2, 1e-9);
  EXPECT_EQ(split.accuracy, Outcome::TooFew) << split.accuracyReason;
  // All miss on both: nothing says that programs differ.
  Verdict both = judge({make("a", 50, 10), make("b", 50, 10)}, handOptions()).verdicts[0];
  EXPECT_NEAR(both.coverage[0][0].effectiveSize(), 20, 1e-9);
  EXPECT_EQ(both.accuracy, Outcome::Refuted);
  // Three pairs of lengths a trial are no three trials.
  EXPECT_LE(both.overlap.effectiveSize(), 20);
}

// The paper asks that each estimate lies in the other's interval; that intervals meet is less.
TEST(Findings, MeetingIsNotLyingInEachOther) {
  ProgramTrials program{"p", std::nullopt, {}};
  for (int i = 0; i < 12; ++i) // [80, 100] with 90, and [95, 115] with 105
    program.trials.push_back(trial({90, 80, 100, 105, 95, 115}));
  const Verdict verdict = judge({program}, handOptions()).verdicts[0];
  EXPECT_EQ(verdict.overlap.hits, 12u);
  EXPECT_EQ(verdict.mutual.hits, 0u);
  EXPECT_EQ(verdict.mutualContainment, Outcome::Refuted);
  EXPECT_EQ(verdict.mutualContainmentReason, "each in the other's interval in 0 of 12 (0 %)");
}

// Campaigns that differ widely from each other, and each moves by a little: two samples look alike,
// pairs do not.
TEST(Findings, PairsSeeWhatSamplesHide) {
  ProgramTrials program{"p", std::nullopt, {}};
  for (int i = 0; i < 12; ++i) {
    const double v = 100 + 40 * i, by = 2 + 0.1 * (i % 5);
    program.trials.push_back(trial({v, v - 50, v + 50, v + by, v - 50, v + 50}));
  }
  const Findings findings = judge({program}, handOptions());
  const SizePair &pair = findings.programs[0].pairs[0][0];
  EXPECT_GT(pair.test->p, 0.9);
  EXPECT_LT(pair.paired->p, 1e-6);
  EXPECT_TRUE(pair.significant());
  EXPECT_FALSE(pair.refutes()) << "on average by 0.9 %";
  EXPECT_EQ(findings.verdicts[0].unitSizes, Outcome::NotRefuted);
}

// On the trials in which both have a value; programs count, not trials.
TEST(Findings, AgainstTheConstantOnTheSameTrials) {
  const size_t constant = indexOf(Estimator::ConstantShare), chao2 = indexOf(Estimator::Chao2);
  std::vector<ProgramTrials> programs;
  for (double miss : {10.0, 20.0, 30.0}) { // of 100
    ProgramTrials program{"p", 100, {}};
    for (int i = 0; i < 4; ++i) {
      program.trials.push_back(trial({100 + miss, 0, 200, 100, 0, 200}));
      program.trials.back().snapshots[0].answers[constant].value = 95; // misses by 5
    }
    program.trials[0].snapshots[0].answers[chao2].value.reset();
    program.trials[1].snapshots[0].answers[constant].value.reset();
    programs.push_back(std::move(program));
  }
  const Findings findings = judge(programs, handOptions());
  const Paired &paired = findings.verdicts[chao2].paired;
  EXPECT_EQ(paired.trials, 6u);
  EXPECT_EQ(paired.programs, 3u);
  EXPECT_NEAR(*paired.difference, 0.15, 1e-12); // 0.05, 0.15, 0.25
  // 4.3027 times 0.1 / sqrt(3)
  EXPECT_NEAR(paired.interval->upper, 0.15 + 4.302653 * 0.1 / std::sqrt(3), 1e-6);
  EXPECT_EQ(*findings.verdicts[constant].paired.difference, 0);
  ASSERT_EQ(findings.verdicts[chao2].overTime.size(), 1u);
  EXPECT_NEAR(*findings.verdicts[chao2].overTime[0].absolute, 0.2, 1e-12);
}

TEST(Findings, WhatThereIsNotIsNullAndHasAReason) {
  ProgramTrials program{"p", std::nullopt, {}};
  for (int i = 0; i < 12; ++i) program.trials.push_back(trial({100, 90, 110, 100, 90, 110}));
  StoredAnswer none;
  none.intervals[0].resize(1), none.intervals[1].resize(1);
  for (Measured &measured : program.trials)
    for (Joined &joined : measured.joined) joined.answers[0] = none;
  Findings findings = judge({program}, handOptions());
  const Verdict &verdict = findings.verdicts[0];
  EXPECT_EQ(verdict.accuracy, Outcome::NotTested);
  EXPECT_EQ(verdict.accuracyReason, "no program has ground truth");
  EXPECT_EQ(verdict.unitSizes, Outcome::NotTested);
  EXPECT_EQ(verdict.unitSizesReason, "no trial gave estimates at two lengths of units");
  EXPECT_EQ(findings.verdicts[1].unitSizes, Outcome::NotRefuted);
  Plan plan;
  plan.measure = handOptions();
  auto json = llvm::json::parse(resultsJson(findings, {plan, 12, 0, {}}));
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &said = *json->getAsObject()
                                        ->getObject("estimators")
                                        ->getObject(estimatorKey(estimate::allEstimators()[0]));
  const llvm::json::Object &sizes = *said.getObject("rq2");
  EXPECT_EQ(*sizes.get("worst_shift"), nullptr);
  EXPECT_EQ(*sizes.getObject("overlap")->get("share"), nullptr);
  EXPECT_EQ(*sizes.getObject("overlap")->get("interval_95"), nullptr);
  EXPECT_EQ(*said.getObject("rq1")->get("mean_bias"), nullptr);
  const llvm::json::Value &pair =
      (*(*json->getAsObject()->getArray("programs"))[0].getAsObject()->getObject("rq2")->getArray(
          estimatorKey(estimate::allEstimators()[0])))[0];
  EXPECT_EQ(*pair.getAsObject()->get("mean_shift"), nullptr);
  EXPECT_EQ(*pair.getAsObject()->get("mean_shift_shuffled"), nullptr);
}

// ---- simulated campaigns

TEST(SimulatedStudy, FiguresAreThoseOfTheTrialsComputedAnotherWay) {
  constexpr uint32_t kUnits = 24;
  constexpr int kTrials = 12;
  const std::vector<double> population(200, 0.06);
  MeasureOptions options;
  options.sizes = {1, 3};
  options.points = 4;
  options.replicates = 0;
  Rng rng(7);
  std::vector<estimate::IncidenceMatrix> campaigns;
  ProgramTrials program{"p", population.size(), {}};
  for (int i = 0; i < kTrials; ++i) {
    campaigns.push_back(simulated(population, kUnits, rng));
    program.trials.push_back(measure(campaigns.back(), options));
  }
  Findings findings = judge({program}, options);
  for (size_t point = 0; point < options.points; ++point)
    for (Estimator estimator : estimate::allEstimators()) {
      const uint32_t units = kUnits / 4 * static_cast<uint32_t>(point + 1);
      std::vector<uint32_t> order(units);
      std::iota(order.begin(), order.end(), 0);
      double sum = 0, squares = 0;
      int with = 0, hits90 = 0, hits95 = 0, intervals = 0;
      for (const estimate::IncidenceMatrix &campaign : campaigns) {
        estimate::Incidence data;
        data.matrix = selectUnits(campaign, order);
        data.counts = tally(*data.matrix);
        estimate::EstimateOptions how;
        how.replicates = 0;
        estimate::Estimate e = estimateOne(estimator, data, how);
        if (e.value) {
          double bias = *e.value / 200 - 1;
          sum += bias, squares += bias * bias, ++with;
        }
        auto i90 = e.interval(0.90), i95 = e.interval(0.95);
        if (!i90) continue;
        ++intervals;
        hits90 += i90->lower <= 200 && 200 <= i90->upper;
        hits95 += i95->lower <= 200 && 200 <= i95->upper;
      }
      SCOPED_TRACE(std::string(estimatorKey(estimator)) + " after " + std::to_string(units));
      const AccuracyAt &at = findings.programs[0].accuracy[indexOf(estimator)][point];
      EXPECT_EQ(at.units, units);
      EXPECT_EQ(at.accuracy.withValue, static_cast<uint64_t>(with));
      if (!estimate::isOfRarity(estimator) && !with)
        continue; // too short, or everything listed is covered
      ASSERT_GT(with, 1);
      EXPECT_NEAR(at.accuracy.meanBias, sum / with, 1e-9);
      EXPECT_NEAR(at.accuracy.imprecision, (squares - sum * sum / with) / (with - 1), 1e-9);
      EXPECT_EQ(at.coverage[0][0].of, static_cast<uint64_t>(intervals));
      EXPECT_EQ(at.coverage[0][0].hits, static_cast<uint64_t>(hits90));
      EXPECT_EQ(at.coverage[0][1].hits, static_cast<uint64_t>(hits95));
    }
  // RQ2, the same way.
  for (Estimator estimator : {Estimator::Chao2, Estimator::Jackknife1, Estimator::Zelterman}) {
    double shift = 0;
    for (const estimate::IncidenceMatrix &campaign : campaigns) {
      auto value = [&](uint32_t size) {
        estimate::Incidence data;
        data.matrix = regroup(campaign, size);
        data.counts = tally(*data.matrix);
        return *estimateOne(estimator, data).value;
      };
      shift += (value(3) / value(1) - 1) / kTrials;
    }
    EXPECT_NEAR(findings.programs[0].pairs[indexOf(estimator)][0].shift.value_or(0), shift, 1e-9);
  }
}

TEST(SimulatedStudy, SeesWhatTheModelPredicts) {
  // Equally rare elements: Chao2 is right, its interval honest and its answer the same at every
  // length of units; the first jackknife is 11 % too large (its correction is a fixed one), and
  // moves when units are joined.
  const std::vector<double> population(300, 0.05);
  MeasureOptions options;
  options.sizes = {1, 2, 5};
  options.points = 1;
  options.replicates = 0;
  Rng rng(11);
  ProgramTrials program{"equal", population.size(), {}};
  for (int i = 0; i < 60; ++i)
    program.trials.push_back(measure(simulated(population, 30, rng), options));
  Findings findings = judge({program}, options);
  const Verdict &chao2 = findings.verdicts[indexOf(Estimator::Chao2)],
                &jackknife = findings.verdicts[indexOf(Estimator::Jackknife1)];
  EXPECT_NEAR(chao2.meanBias, 0, 0.03);
  EXPECT_EQ(chao2.accuracy, Outcome::NotRefuted) << chao2.accuracyReason;
  EXPECT_EQ(chao2.unitSizes, Outcome::NotRefuted) << chao2.unitSizesReason;
  EXPECT_NEAR(jackknife.meanBias, 0.11, 0.03);
  EXPECT_EQ(jackknife.accuracy, Outcome::Refuted);
  // Units are alike, so their order does not matter.
  for (const SizePair &pair : findings.programs[0].pairs[indexOf(Estimator::Jackknife1)])
    EXPECT_NEAR(*pair.shift, *pair.shiftShuffled, 0.02);
}

TEST(SimulatedStudy, DriftShowsWhereOrderMatters) {
  // Elements that only the second half can reach, as when a fuzzer finds a door: joining units in
  // their order does something else than joining them in random order.
  MeasureOptions options;
  options.sizes = {1, 4};
  options.points = 1;
  options.replicates = 0;
  Rng rng(5);
  ProgramTrials drifting{"drifts", 400, {}};
  for (int i = 0; i < 40; ++i) {
    estimate::IncidenceMatrix early = simulated(std::vector<double>(100, 0.3), 24, rng), all(24);
    for (size_t e = 0; e < early.listed(); ++e) all.add(early.row(e));
    // In bursts: three units in a row.
    for (int e = 0; e < 300; ++e) {
      auto at = 12 + static_cast<uint32_t>(estimate::uniform01(rng) * 10);
      all.add(std::vector<uint32_t>{at, at + 1, at + 2});
    }
    drifting.trials.push_back(measure(all, options));
  }
  Findings findings = judge({drifting}, options);
  const SizePair &pair = findings.programs[0].pairs[indexOf(Estimator::Chao2)][0];
  // With single units nothing is a singleton: nothing seems to be missing. With four in one,
  // bursts within one unit are.
  EXPECT_GT(*pair.shift, 0.05);
  EXPECT_GT(std::fabs(*pair.shift - *pair.shiftShuffled), 0.1);
  EXPECT_EQ(findings.verdicts[indexOf(Estimator::Chao2)].unitSizes, Outcome::Refuted);
}
