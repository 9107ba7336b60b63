// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reference value of vectors.json: point, standard error and intervals, in the form that its
// entry names. An entry of an unknown form fails, so that none is forgotten.
#include "Vectors.h"

#include "estimate/Chao2.h"
#include "estimate/ChaoBunge.h"
#include "estimate/Estimators.h"
#include "estimate/Ice.h"
#include "estimate/Jackknife.h"
#include "estimate/Npmle.h"
#include "estimate/SmithVanBelle.h"
#include "estimate/Zelterman.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

using namespace fathom::estimate;
using namespace fathom::estimate::test;

namespace {

struct VectorTally {
  int values = 0, errors = 0, intervals = 0, excused = 0;
};

bool startsWith(const std::string &text, const char *start) { return text.rfind(start, 0) == 0; }

/// The estimate in the form that an entry names; nothing for an unknown one. The NPMLEs are apart.
std::optional<Estimate> inForm(const std::string &estimator, const std::string &variant,
                               const Incidence &data, const Json &entry) {
  const FrequencyCounts &counts = data.counts;
  constexpr FallbackForm kPackage = FallbackForm::SpadeR;
  if (estimator == "Chao2" || estimator == "Chao2_bc") {
    Chao2Options options{true, kPackage};
    if (startsWith(variant, "estimateS8"))
      options = {false, FallbackForm::EstimateS};
    else if (variant != "spader" && variant != "vegan")
      return std::nullopt;
    return estimator == "Chao2" ? chao2(counts, options) : chao2BiasCorrected(counts, options);
  }
  if (estimator == "iChao2") {
    if (variant == "spader") return iChao2(counts, IChao2Variance::SpadeR, kPackage);
    if (startsWith(variant, "delta_corrected")) return iChao2(counts);
  }
  if (estimator == "JK1" || estimator == "JK2") {
    if (variant == "spader")
      return estimator == "JK1" ? jackknife1(counts, kPackage) : jackknife2(counts, kPackage);
    if (startsWith(variant, "species"))
      return jackknifeLargeT(counts, estimator == "JK1" ? 1 : 2, /*cut=*/false);
    if (variant == "point_only") {
      Estimate estimate = jackknife2(counts);
      estimate.value = estimate.raw; // the package does not know of observed elements
      return estimate;
    }
    if (startsWith(variant, "heltshe_forrester_se")) {
      Estimate estimate = jackknife1(counts);
      estimate.se = jackknife1Error(*data.matrix, variant == "heltshe_forrester_se"
                                                      ? HeltsheForrester::Vegan
                                                      : HeltsheForrester::Published);
      return estimate;
    }
  }
  if (estimator == "Jackknife_selected") {
    SelectedJackknife selected = jackknifeSelected(counts, 5, /*cut=*/false);
    EXPECT_EQ(selected.order, entry["order"].get<unsigned>());
    return selected.estimate;
  }
  if (estimator == "ICE" || estimator == "ICE1") {
    IceOptions options;
    options.fallback = kPackage;
    if (startsWith(variant, "spader_raw"))
      options.units = unitsWithFrequency(*data.matrix, 1, 9);
    else if (startsWith(variant, "estimateS"))
      return iceEstimateS(counts, unitsWithFrequency(*data.matrix, 1, 10));
    else if (variant != "spader")
      return std::nullopt;
    return estimator == "ICE" ? ice(counts, options) : ice1(counts, options);
  }
  if (estimator == "Zelterman") {
    ZeltermanOptions options;
    options.fallback = kPackage;
    if (variant == "binomial")
      options.model = ZeltermanModel::Binomial;
    else if (variant == "poisson")
      options.band = ZeltermanBand::WaldUncut;
    else if (variant != "poisson_lognormal_package")
      return std::nullopt;
    return zelterman(counts, options);
  }
  if (estimator == "Bootstrap")
    return smithVanBelle(counts, data.matrix ? &*data.matrix : nullptr, {.fallback = kPackage});
  if (estimator == "ChaoBunge") {
    ChaoBungeOptions options;
    options.fallback = kPackage;
    if (variant == "species")
      options.band = ChaoBungeBand::Species;
    else if (startsWith(variant, "breakaway"))
      options.total = ChaoBungeTotal::Whole;
    else if (variant != "lognormal_on_f0")
      return std::nullopt;
    return chaoBunge(counts, options);
  }
  return std::nullopt;
}

/// Why a number of an entry is not expected of us; "" when it is.
std::string excuse(const Json &set, const std::string &estimator, const std::string &variant,
                   const std::string &what, const Estimate &mine) {
  if (what == "value") return "";
  if (mine.status == Status::NotEstimable && estimator == "ChaoBunge")
    return "negative duplication: the package goes on and prints a standard error of a value that "
           "is none; the value itself is held against `raw`";
  if (mine.status == Status::Fallback && estimator == "ChaoBunge" && variant == "species")
    return "Q1 = 0: the package's standard error is rounding noise of 0 (about 1e-8)";
  if (mine.status == Status::Fallback && estimator == "Chao2" && variant == "vegan")
    return "Q1 = 0: the package takes D for certain and its standard error for 0";
  if (mine.status == Status::InsufficientUnits) return "one unit: the package takes D for certain";
  if (mine.status == Status::BelowObserved && startsWith(variant, "species"))
    return "below D: the package's standard error is that of the clipped part, ours of the "
           "fallback";
  return "";
}

/// Compares what an entry has of value, se, ci90 and ci95. `excused` says which of them are not
/// compared.
void compareNumbers(const Json &entry, const Estimate &mine, double tolerance, VectorTally &tally,
                    const std::function<std::string(const std::string &)> &excused) {
  auto compare = [&](const std::string &what, std::optional<double> got, double expected) {
    ASSERT_TRUE(got.has_value()) << what << ": expected " << expected;
    EXPECT_LE(relativeError(*got, expected), tolerance)
        << what << ": got " << *got << ", expected " << expected;
  };
  if (has(entry, "value")) {
    // Packages print what is below D, and what is negative: that is our raw value.
    bool clipped = mine.status == Status::BelowObserved || mine.status == Status::NotEstimable;
    compare("value", clipped ? mine.raw : mine.value, entry["value"]);
    tally.values++;
  }
  if (has(entry, "se")) {
    if (excused("se").empty()) {
      compare("se", mine.se, entry["se"]);
      tally.errors++;
    } else {
      tally.excused++;
    }
  }
  for (auto [key, level] : {std::pair("ci90", 0.90), std::pair("ci95", 0.95)}) {
    if (!has(entry, key)) continue;
    if (!excused(key).empty()) {
      tally.excused++;
      continue;
    }
    auto got = mine.interval(level);
    ASSERT_TRUE(got.has_value()) << key;
    compare(std::string(key) + " lower", got->lower, entry[key][0]);
    compare(std::string(key) + " upper", got->upper, entry[key][1]);
    tally.intervals++;
  }
}

} // namespace

TEST(Vectors, ClosedForms) {
  std::map<std::string, VectorTally> tallies;
  for (const Json &set : vectors()["datasets"]) {
    std::string id = set["id"];
    Incidence data = dataOf(set);
    ASSERT_EQ(data.counts.observed(), set["S_obs"].get<uint64_t>());
    ASSERT_EQ(data.counts.incidences(), set["U"].get<uint64_t>());
    for (const Json &entry : set["estimates"]) {
      std::string estimator = entry["estimator"], variant = entry["variant"];
      if (estimator == "UNPMLE" || estimator == "PNPMLE") continue;
      SCOPED_TRACE(fmt::format("{} {} {}", id, estimator, variant));
      std::optional<Estimate> mine = inForm(estimator, variant, data, entry);
      ASSERT_TRUE(mine.has_value()) << "an unknown form";
      auto excused = [&](const std::string &what) {
        return excuse(set, estimator, variant, what, *mine);
      };
      Json rest = entry;
      if (estimator == "Zelterman" && variant == "poisson" && has(entry, "ci95")) {
        // Its 95 % interval is the package's, cut at D; the 90 % one is not cut.
        Interval cut = *zelterman(data.counts, {.band = ZeltermanBand::Wald}).interval(0.95);
        EXPECT_LE(relativeError(cut.lower, entry["ci95"][0]), 1e-6);
        EXPECT_LE(relativeError(cut.upper, entry["ci95"][1]), 1e-6);
        tallies[estimator].intervals++;
        rest.erase("ci95");
      }
      compareNumbers(rest, *mine, 1e-6, tallies[estimator], excused);
    }
  }
  VectorTally all;
  for (const auto &[estimator, tally] : tallies) {
    printf("%-18s %3d values, %3d standard errors, %3d intervals; %d not compared\n",
           estimator.c_str(), tally.values, tally.errors, tally.intervals, tally.excused);
    all.values += tally.values;
    all.errors += tally.errors;
    all.intervals += tally.intervals;
    all.excused += tally.excused;
  }
  // What the file has; a comparison that gets lost is noticed here.
  EXPECT_EQ(all.values, 509);
  EXPECT_EQ(all.errors, 453);
  EXPECT_EQ(all.intervals, 692);
  EXPECT_EQ(all.excused, 13);
}

TEST(Vectors, DegenerateData) {
  std::map<std::string, Estimator> byName = {{"Chao2", Estimator::Chao2},
                                             {"Chao2_bc", Estimator::Chao2BiasCorrected},
                                             {"iChao2", Estimator::IChao2},
                                             {"JK1", Estimator::Jackknife1},
                                             {"JK2", Estimator::Jackknife2},
                                             {"ICE", Estimator::Ice},
                                             {"ICE1", Estimator::Ice1},
                                             {"Zelterman", Estimator::Zelterman},
                                             {"Bootstrap", Estimator::SmithVanBelle},
                                             {"ChaoBunge", Estimator::ChaoBunge},
                                             {"UNPMLE", Estimator::Unpmle},
                                             {"PNPMLE", Estimator::Pnpmle}};
  VectorTally tally;
  for (const Json &set : vectors()["datasets"]) {
    if (!set.contains("expected_by_spec")) continue;
    Incidence data = dataOf(set);
    for (const auto &[name, expected] : set["expected_by_spec"].items()) {
      std::string id = set["id"], status = expected["status"];
      SCOPED_TRACE(fmt::format("{} {} {}", id, name, status));
      ASSERT_TRUE(byName.count(name));
      bool npmle = name == "UNPMLE" || name == "PNPMLE";
      Estimate mine = estimateOne(byName[name], data, {.replicates = 0});
      if (startsWith(status, "start_value_needs_f2")) {
        // No reference: only what kind of answer there is.
        Status kind = id == "deg_all_singletons"   ? Status::NotEstimable
                      : id == "deg_q1_one_q2_zero" ? Status::Fallback
                      : name == "UNPMLE"           ? mine.status
                                                   : Status::VarianceUnavailable;
        EXPECT_EQ(mine.status, kind);
        continue;
      }
      if (startsWith(status, "point_only")) {
        Status kind = Status::VarianceUnavailable;
        if (name == "Bootstrap" && data.matrix) kind = Status::Ok;
        if (mine.value == static_cast<double>(data.counts.observed())) kind = Status::Fallback;
        EXPECT_EQ(mine.status, kind);
      } else {
        EXPECT_EQ(statusName(mine.status), status);
      }
      if (mine.status == Status::BelowObserved)
        mine.value.swap(mine.raw); // compareNumbers takes what packages print
      compareNumbers(expected, mine, npmle ? 1e-3 : 1e-6, tally,
                     [](const std::string &) { return ""; });
      if (!has(expected, "value")) EXPECT_FALSE(mine.value.has_value());
      if (mine.status == Status::BelowObserved) mine.value.swap(mine.raw);
      if (has(expected, "raw")) EXPECT_LE(relativeError(*mine.raw, expected["raw"]), 1e-6);
    }
  }
  printf("%d values, %d standard errors, %d intervals\n", tally.values, tally.errors,
         tally.intervals);
  EXPECT_EQ(tally.values, 116);
  EXPECT_EQ(tally.errors, 92);
  EXPECT_EQ(tally.intervals, 184);
}

TEST(Vectors, Regrouped) {
  VectorTally tally;
  for (const Json &set : vectors()["datasets"]) {
    if (!set.contains("regroup")) continue;
    Incidence data = dataOf(set);
    for (const auto &[key, group] : set["regroup"].items()) {
      std::string id = set["id"];
      auto r = group["r"].get<uint32_t>();
      IncidenceMatrix matrix = regroup(*data.matrix, r);
      FrequencyCounts counts = fathom::estimate::tally(matrix);
      SCOPED_TRACE(fmt::format("{} {}", id, key));
      ASSERT_EQ(matrix.units(), group["t"].get<uint32_t>());
      EXPECT_EQ(data.matrix->units() - r * matrix.units(), group["dropped_units"].get<uint32_t>());
      EXPECT_EQ(counts.observed(), group["S_obs"].get<uint64_t>());
      EXPECT_EQ(counts, *FrequencyCounts::fromDense(matrix.units(),
                                                    group["Q"].get<std::vector<uint64_t>>()));
      for (const char *name :
           {"Chao2", "Chao2_bc", "iChao2", "JK1", "JK2", "ICE", "ICE1", "Bootstrap"}) {
        if (!has(group, name)) continue;
        SCOPED_TRACE(name);
        Incidence regrouped{counts, matrix};
        Estimate mine = *inForm(name, "spader", regrouped, {});
        // Where JK2 is D or less the package's interval is of rounding noise, or meaningless.
        bool noise = !strcmp(name, "JK2") && mine.status != Status::Ok;
        compareNumbers(group[name], mine, 1e-6, tally, [&](const std::string &what) {
          return noise && what != "value" ? "noise" : "";
        });
      }
    }
  }
  printf("%d values, %d standard errors, %d intervals; %d not compared\n", tally.values,
         tally.errors, tally.intervals, tally.excused);
  EXPECT_EQ(tally.values, 233);
  EXPECT_EQ(tally.errors, 230);
  EXPECT_EQ(tally.intervals, 400);
}

namespace {
/// The NPMLEs' objective at a mixture that another program found.
double objectiveAt(const Json &entry, const FrequencyCounts &counts, bool penalized, double *odds) {
  double n = 0, odd = 0, value = 0, f1 = static_cast<double>(counts.count(1)),
         f2 = static_cast<double>(counts.count(2));
  auto lambda = entry["mixture_lambda"].get<std::vector<double>>();
  auto weight = entry["mixture_weight"].get<std::vector<double>>();
  double sum = 0;
  for (double w : weight) sum += w;
  for (size_t k = 0; k < lambda.size(); ++k) odd += weight[k] / sum / std::expm1(lambda[k]);
  for (auto [j, count] : counts.frequencies()) {
    if (j > 15) break;
    double cell = 0;
    for (size_t k = 0; k < lambda.size(); ++k)
      cell += weight[k] / sum * std::exp(double(j) * std::log(lambda[k]) - std::lgamma(j + 1.0)) /
              std::expm1(lambda[k]);
    value += double(count) * std::log(cell);
    n += double(count);
  }
  double c = f1 * f1 / (2 * f2 * n), over = std::max(odd - c, 0.0);
  *odds = odd;
  return value - (penalized ? over * over / (2 * c) : 0.5 * std::log(odd / (1 + odd)));
}
} // namespace

// Against another solver for the same objective: within 1e-3 of its estimate, or with an objective
// that is higher. Against the package's fit, which maximises less exactly: never a lower objective.
TEST(Vectors, MaximumLikelihood) {
  int close = 0, better = 0, package = 0, capped = 0;
  double worst = 0;
  for (const Json &set : vectors()["datasets"]) {
    Incidence data = dataOf(set);
    for (const Json &entry : set["estimates"]) {
      std::string estimator = entry["estimator"], variant = entry["variant"], id = set["id"];
      bool penalized = estimator == "PNPMLE";
      if (estimator != "UNPMLE" && !penalized) continue;
      if (startsWith(variant, "species N-P")) continue; // another likelihood: below
      SCOPED_TRACE(fmt::format("{} {} {}", id, estimator, variant));
      NpmleResult mine = penalized ? pnpmle(data.counts, {.replicates = 0})
                                   : unpmle(data.counts, {.replicates = 0});
      ASSERT_TRUE(mine.estimate.value.has_value()) << mine.estimate.reason;
      EXPECT_LE(mine.mixture.gap, 1e-6 * double(data.counts.observed()));
      double odds, theirs = objectiveAt(entry, data.counts, penalized, &odds);
      if (!startsWith(variant, "own_high_precision")) {
        if (mine.estimate.status == Status::Capped) continue; // the package does not stop there
        EXPECT_GE(mine.objective, theirs - 1e-9 * std::fabs(theirs));
        package++;
        continue;
      }
      double error = relativeError(*mine.estimate.value, entry["value"]);
      if (error <= 1e-3) {
        close++;
        worst = std::max(worst, error);
      } else {
        better++;
        EXPECT_GT(mine.objective, theirs) << *mine.estimate.value << " against " << entry["value"];
      }
      bool cap = mine.estimate.status == Status::Capped;
      capped += cap;
      EXPECT_EQ(cap, entry["capped"].get<bool>());
    }
  }
  printf("%d estimates within 1e-3 (worst %.1e), %d with a higher objective, %d capped; %d fits of "
         "the "
         "package not better than ours\n",
         close, worst, better, capped, package);
  EXPECT_EQ(close + better, 38);
  EXPECT_EQ(package, 37);
}

// The package's own likelihood (Norris and Pollock). Both go through whole numbers of unseen
// elements, and stop at one or its neighbour: within one element, not nearer.
TEST(Vectors, ExactLikelihood) {
  int close = 0, capped = 0;
  double worst = 0;
  for (const Json &set : vectors()["datasets"]) {
    for (const Json &entry : set["estimates"]) {
      std::string variant = entry["variant"];
      if (!startsWith(variant, "species N-P")) continue;
      SCOPED_TRACE(set["id"].get<std::string>());
      NpmleResult mine = unpmleExact(dataOf(set).counts);
      if (mine.estimate.status == Status::Capped) {
        capped++;
        EXPECT_NEAR(*mine.estimate.value, entry["value"], 1) << "the package stops there, too";
        continue;
      }
      double expected = entry["value"];
      EXPECT_NEAR(*mine.estimate.value, expected, 1);
      worst = std::max(worst, std::fabs(*mine.estimate.value - expected));
      close++;
    }
  }
  printf("%d estimates (at most %.2f elements apart), %d capped\n", close, worst, capped);
  EXPECT_EQ(close, 18);
  EXPECT_EQ(capped, 1);
}

// Resampled errors are random, on both sides (B = 200): held against the other solver's in the same
// scheme. UNPMLE's replicates run to the cap, now more now fewer: its lower ends only say anything.
TEST(Vectors, SlowResampledErrors) {
  int penalized = 0, unconditional = 0;
  for (const Json &set : vectors()["datasets"]) {
    for (const Json &entry : set["estimates"]) {
      std::string variant = entry["variant"], estimator = entry["estimator"];
      if (!startsWith(variant, "own_high_precision") || !has(entry, "se")) continue;
      SCOPED_TRACE(fmt::format("{} {}", set["id"].get<std::string>(), estimator));
      FrequencyCounts counts = dataOf(set).counts;
      auto observed = double(counts.observed());
      Estimate mine = estimator == "PNPMLE" ? pnpmle(counts).estimate : unpmle(counts).estimate;
      for (auto [key, level] : {std::pair("ci90", 0.90), std::pair("ci95", 0.95)}) {
        Interval interval = *mine.interval(level);
        double low = std::max(observed, entry[key][0].get<double>());
        EXPECT_NEAR(interval.lower / low, 1, 0.05) << key;
        if (estimator == "PNPMLE")
          EXPECT_NEAR((interval.upper - observed) / (entry[key][1].get<double>() - observed), 1,
                      0.25)
              << key;
      }
      if (estimator == "PNPMLE") EXPECT_NEAR(*mine.se / entry["se"].get<double>(), 1, 0.25);
      (estimator == "PNPMLE" ? penalized : unconditional)++;
    }
  }
  EXPECT_EQ(penalized, 9);
  EXPECT_EQ(unconditional, 9);
}
