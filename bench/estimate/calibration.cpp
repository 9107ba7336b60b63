// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the campaigns of bench/estimate/collect to lib/estimate/Calibration.def, and how good the
// result is.
//
//   calibration fit DATA.jsonl > lib/estimate/Calibration.def
//   calibration cross DATA.jsonl [RIDGE...]   the calibration's own programs, each judged without
//                                             its tenth
//   calibration shift DATA.jsonl              the same, judged without a quarter that is extreme in
//                                             some knobs: what Calibration::shift is chosen by
//   calibration gain DATA.jsonl               what going on for as long again brought, and what was
//                                             predicted (estimate/Doubling.h)
//   calibration evaluate DATA.jsonl [N]       the programs that took no part: all figures, all
//                                             estimators (N replicates for those that resample)
#include "estimate/Calibrate.h"
#include "estimate/Distributions.h"
#include "estimate/Doubling.h"
#include "estimate/Estimators.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>

using namespace fathom;
using namespace fathom::estimate;

namespace {

/// Calibration::shift of the library: the least of those that `shift` tries with which 90 %
/// intervals hold more than 90 % of extreme programs on average and 85 % in nine directions of ten.
/// Two sets of other programs had been looked at before (bench/RESULTS.md); none of those that
/// judge.
constexpr double kShift = 1.25;

struct Trial {
  std::string set;
  uint32_t program = 0, trial = 0;
  double reachable = 0;
  std::map<std::string, double> knobs;
  Incidence data;
};

/// A row is hexadecimal digits, unit 0 the lowest bit.
std::vector<uint32_t> unitsOf(const std::string &row) {
  std::vector<uint32_t> units;
  for (size_t i = 0; i < row.size(); ++i) {
    char c = row[row.size() - 1 - i];
    int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    for (uint32_t bit = 0; bit < 4; ++bit)
      if (digit >> bit & 1) units.push_back(static_cast<uint32_t>(4 * i + bit));
  }
  return units;
}

Incidence incidenceOf(IncidenceMatrix matrix) {
  FrequencyCounts counts = tally(matrix);
  return {counts, std::move(matrix)};
}

/// A line of bench/estimate/collect.
Trial trialOf(const nlohmann::json &entry) {
  Trial trial;
  trial.set = entry["set"];
  trial.program = entry["program"];
  trial.trial = entry["trial"];
  trial.reachable = entry["reachable"];
  trial.knobs = entry["knobs"].get<std::map<std::string, double>>();
  IncidenceMatrix matrix(entry["units"].get<uint32_t>());
  matrix.setExecutions(entry["executions"].get<double>());
  for (const auto &[row, count] : entry["rows"].items())
    for (uint64_t i = 0; i < count.get<uint64_t>(); ++i) matrix.add(unitsOf(row));
  while (matrix.listed() < entry["elements"].get<size_t>()) matrix.add({});
  trial.data = incidenceOf(std::move(matrix));
  return trial;
}

std::vector<Trial> readTrials(const std::string &path) {
  std::vector<Trial> trials;
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    nlohmann::json entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (entry.is_object()) trials.push_back(trialOf(entry));
  }
  if (trials.empty()) {
    fmt::print(stderr, "{}: no campaigns; expected a file of bench/estimate/collect\n", path);
    exit(2);
  }
  return trials;
}

/// The first `units` units.
Incidence prefix(const Incidence &data, uint32_t units) {
  std::vector<uint32_t> first(units);
  for (uint32_t i = 0; i < units; ++i) first[i] = i;
  return incidenceOf(selectUnits(*data.matrix, first));
}

Incidence joined(const Incidence &data, uint32_t r) {
  return incidenceOf(regroup(*data.matrix, r));
}

/// Every campaign of the calibration, and its first half as a shorter one.
std::vector<CalibrationCase> casesOf(const std::vector<Trial> &trials) {
  std::vector<CalibrationCase> cases;
  for (const Trial &trial : trials) {
    if (trial.set != "calibration") continue;
    for (uint32_t part : {1u, 2u}) {
      Incidence data = prefix(trial.data, trial.data.matrix->units() / part);
      CalibrationCase one;
      one.program = trial.program;
      one.elements = static_cast<double>(data.matrix->listed());
      one.reachable = trial.reachable;
      one.observed = static_cast<double>(data.counts.observed());
      if (one.observed == 0) continue;
      one.features = campaignFeatures(*data.matrix, one.elements);
      cases.push_back(one);
    }
  }
  return cases;
}

/// An estimate of a trial, and the truth.
struct Outcome {
  uint32_t program;
  double truth;
  Estimate estimate;
};

double mean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Means of programs, each the mean of its trials.
std::vector<double> byProgram(const std::vector<std::pair<uint32_t, double>> &values) {
  std::map<uint32_t, std::vector<double>> programs;
  for (auto [program, value] : values) programs[program].push_back(value);
  std::vector<double> means;
  for (auto &[program, list] : programs) means.push_back(mean(list));
  return means;
}

/// Mean and its interval, by Student's t over the programs, whose trials are not independent.
struct Clustered {
  double mean, half;
  double error; ///< standard error
  size_t programs;
};
Clustered clustered(const std::vector<std::pair<uint32_t, double>> &values, double level) {
  std::vector<double> means = byProgram(values);
  double middle = mean(means), squares = 0;
  for (double m : means) squares += (m - middle) * (m - middle);
  auto n = static_cast<double>(means.size());
  double error = std::sqrt(squares / (n - 1) / n);
  return {middle, studentCriticalValue(level, n - 1) * error, error, means.size()};
}

struct Figures {
  size_t trials = 0, withValue = 0, withInterval = 0;
  Clustered coverage{};
  double absoluteBias = 0; ///< mean over programs of |mean bias of the program's trials|
  double meanBias = 0;
  double width = 0;     ///< mean over trials of (upper - lower) / S
  double narrowest = 0; ///< the same for the log-symmetric interval of one factor that holds S in
                        ///< `level` of trials
};

Figures figures(const std::vector<Outcome> &outcomes, double level) {
  Figures result;
  std::vector<std::pair<uint32_t, double>> covered, bias;
  std::vector<double> widths, factors;
  for (const Outcome &o : outcomes) {
    result.trials++;
    if (!o.estimate.value) continue;
    result.withValue++;
    bias.emplace_back(o.program, (*o.estimate.value - o.truth) / o.truth);
    factors.push_back(std::fabs(std::log(*o.estimate.value / o.truth)));
    if (auto interval = o.estimate.interval(level)) {
      result.withInterval++;
      covered.emplace_back(o.program, interval->lower <= o.truth && o.truth <= interval->upper);
      widths.push_back((interval->upper - interval->lower) / o.truth);
    }
  }
  if (bias.size() > 1) {
    std::vector<double> means = byProgram(bias);
    result.meanBias = mean(means);
    for (double m : means) result.absoluteBias += std::fabs(m) / static_cast<double>(means.size());
    std::sort(factors.begin(), factors.end());
    // The least factor that enough trials stay within.
    auto place = static_cast<size_t>(std::ceil(level * static_cast<double>(factors.size())));
    double factor = std::exp(factors[std::max<size_t>(place, 1) - 1]);
    for (const Outcome &o : outcomes)
      if (o.estimate.value)
        result.narrowest += *o.estimate.value * (factor - 1 / factor) / o.truth /
                            static_cast<double>(result.withValue);
  }
  if (covered.size() > 1) {
    result.coverage = clustered(covered, 0.95);
    result.width = mean(widths);
  }
  return result;
}

void printFigures(const std::string &name, const Figures &f) {
  fmt::print("  {:<14} {:>4} of {:<4} {:>8.3f} {:>+8.3f}", name, f.withValue, f.trials,
             f.absoluteBias, f.meanBias);
  if (f.withInterval > 1)
    fmt::print("   {:>5.1f} % ({:.1f} to {:.1f})   {:>7.3f} {:>7.3f} {:>6.2f}",
               100 * f.coverage.mean, 100 * std::max(0.0, f.coverage.mean - f.coverage.half),
               100 * std::min(1.0, f.coverage.mean + f.coverage.half), f.width, f.narrowest,
               f.width / f.narrowest);
  fmt::print("\n");
}

void printHeader(const std::string &title) {
  fmt::print("{}\n  {:<14} {:>12} {:>8} {:>8}   {:<24} {:>8} {:>7} {:>6}\n", title, "",
             "with value", "|bias|", "bias", "90 % interval holds S", "width", "oracle", "ratio");
}

/// The calibration's programs, each tenth by what the others say.
void cross(const std::vector<Trial> &trials, const std::vector<double> &ridges) {
  printHeader("calibration programs, by calibrations without them");
  for (double ridge : ridges) {
    std::vector<Outcome> outcomes;
    for (uint32_t part = 0; part < 10; ++part) {
      std::vector<Trial> others;
      for (const Trial &trial : trials)
        if (trial.set == "calibration" && trial.program % 10 != part) others.push_back(trial);
      Calibration calibration =
          fitCalibration(casesOf(others), {.folds = 10, .ridge = ridge, .shift = kShift});
      for (const Trial &trial : trials)
        if (trial.set == "calibration" && trial.program % 10 == part)
          outcomes.push_back(
              {trial.program, trial.reachable, calibrated(trial.data, std::nullopt, calibration)});
    }
    printFigures(fmt::format("ridge {}", ridge), figures(outcomes, 0.9));
  }
  for (Estimator estimator : allEstimators()) {
    if (isMeasured(estimator)) continue; // made from these programs
    std::vector<Outcome> outcomes;
    for (const Trial &trial : trials)
      if (trial.set == "calibration")
        outcomes.push_back({trial.program, trial.reachable,
                            estimateOne(estimator, trial.data, {.replicates = 0})});
    printFigures(estimatorName(estimator), figures(outcomes, 0.9));
  }
}

/// For random directions, each a few knobs with a sign: how many of the quarter of programs that
/// lies farthest in the direction a calibration with the others holds, for several shifts.
void shifts(const std::vector<Trial> &trials) {
  const std::vector<double> odds{1, 1.25, 1.5, 2, 3, 4, 6};
  std::vector<const Trial *> programs;
  for (const Trial &trial : trials)
    if (trial.set == "calibration") programs.push_back(&trial);
  std::map<std::string, std::map<uint32_t, double>> rank; // by knob and program, in [0, 1)
  for (const auto &[knob, unused] : programs.front()->knobs) {
    if (knob == "seed") continue;
    std::vector<const Trial *> order = programs;
    std::sort(order.begin(), order.end(), [&](const Trial *a, const Trial *b) {
      return std::pair(a->knobs.at(knob), a->program) < std::pair(b->knobs.at(knob), b->program);
    });
    for (size_t i = 0; i < order.size(); ++i)
      rank[knob][order[i]->program] = double(i) / double(order.size());
  }
  std::vector<std::string> knobs;
  for (const auto &[knob, unused] : rank) knobs.push_back(knob);
  Rng rng(1);
  std::vector<std::vector<double>> coverage(odds.size());
  for (int direction = 0; direction < 60; ++direction) {
    std::map<uint32_t, double> place;
    for (uint32_t left = 1 + rng.below(7); left--;) {
      const auto &ranks = rank[knobs[rng.below(static_cast<uint32_t>(knobs.size()))]];
      const double sign = rng.below(2) ? 1 : -1;
      for (const Trial *trial : programs) place[trial->program] += sign * ranks.at(trial->program);
    }
    std::vector<const Trial *> order = programs;
    std::sort(order.begin(), order.end(), [&](const Trial *a, const Trial *b) {
      return std::pair(place[a->program], a->program) < std::pair(place[b->program], b->program);
    });
    std::vector<Trial> others;
    const size_t kept = order.size() * 3 / 4;
    for (size_t i = 0; i < kept; ++i) others.push_back(*order[i]);
    Calibration calibration = fitCalibration(casesOf(others));
    for (size_t s = 0; s < odds.size(); ++s) {
      calibration.shift = odds[s];
      double held = 0, judged = 0;
      for (size_t i = kept; i < order.size(); ++i)
        if (auto interval = calibrated(order[i]->data, std::nullopt, calibration).interval(0.9)) {
          ++judged;
          held += interval->lower <= order[i]->reachable && order[i]->reachable <= interval->upper;
        }
      if (judged > 0) coverage[s].push_back(held / judged);
    }
  }
  fmt::print(
      "90 % intervals that hold S, in the quarter that is extreme in a direction; 60 directions\n"
      "  {:<8} {:>8} {:>18} {:>8}\n",
      "shift", "mean", "tenth from below", "least");
  for (size_t s = 0; s < odds.size(); ++s) {
    std::sort(coverage[s].begin(), coverage[s].end());
    fmt::print("  {:<8} {:>8.3f} {:>18.3f} {:>8.3f}\n", odds[s], mean(coverage[s]),
               quantile(coverage[s], 0.1), coverage[s].front());
  }
}

/// Two one-sided tests that estimates on longer units differ from those on the units as they are by
/// less than 2 %, on logarithms, over programs.
void printEquivalence(const std::string &name, const std::vector<Trial> &trials,
                      const std::function<Estimate(const Incidence &)> &estimator) {
  fmt::print("  {:<14}", name);
  for (uint32_t r : {2u, 3u, 4u, 6u}) {
    std::vector<std::pair<uint32_t, double>> ratios;
    for (const Trial &trial : trials) {
      Estimate a = estimator(trial.data), b = estimator(joined(trial.data, r));
      if (a.value && b.value) ratios.emplace_back(trial.program, std::log(*b.value / *a.value));
    }
    if (ratios.size() < 2) {
      fmt::print("   {:>24}", "-");
      continue;
    }
    Clustered ratio = clustered(ratios, 0.90); // the interval of two tests at 5 %
    double margin = std::log(1.02);
    bool isEquivalent = ratio.mean - ratio.half > -margin && ratio.mean + ratio.half < margin;
    fmt::print("   {:>+6.2f} % ({:+6.2f}, {:+6.2f}){}", 100 * std::expm1(ratio.mean),
               100 * std::expm1(ratio.mean - ratio.half), 100 * std::expm1(ratio.mean + ratio.half),
               isEquivalent ? "*" : " ");
  }
  fmt::print("\n");
}

/// Whether an estimator errs less than the constant share, on the trials in which both have a
/// value: the mean over programs of the difference of their absolute errors. Below 0: the estimator
/// is better.
void printPaired(const std::string &name, const std::vector<Outcome> &own,
                 const std::vector<Outcome> &constant) {
  std::vector<std::pair<uint32_t, double>> differences;
  auto error = [](const Outcome &o) { return std::fabs(*o.estimate.value - o.truth) / o.truth; };
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i].estimate.value && constant[i].estimate.value)
      differences.emplace_back(own[i].program, error(own[i]) - error(constant[i]));
  if (differences.size() < 2) return;
  const Clustered difference = clustered(differences, 0.95);
  fmt::print("  {:<14} {:>4} trials of {} programs   {:>+7.3f} ({:+.3f} to {:+.3f})\n", name,
             differences.size(), difference.programs, difference.mean,
             difference.mean - difference.half, difference.mean + difference.half);
}

void evaluate(const std::vector<Trial> &all, unsigned replicates) {
  for (const char *set : {"seen", "unseen", ""}) {
    std::vector<Trial> trials;
    std::map<uint32_t, int> programs;
    for (Trial trial : all) {
      if (trial.set == "calibration" || (*set && trial.set != set)) continue;
      if (trial.set == "unseen") trial.program += 100000;
      programs[trial.program]++;
      trials.push_back(std::move(trial));
    }
    printHeader(fmt::format("{}: {} programs, {} trials", *set ? set : "all", programs.size(),
                            trials.size()));
    std::map<std::string, int> reasons; // why the calibrated estimator has no value
    std::map<Estimator, std::vector<Outcome>> said;
    for (Estimator estimator : allEstimators()) {
      std::vector<Outcome> outcomes;
      for (const Trial &trial : trials) {
        outcomes.push_back({trial.program, trial.reachable,
                            estimateOne(estimator, trial.data, {.replicates = replicates})});
        const Estimate &last = outcomes.back().estimate;
        if (estimator == Estimator::Calibrated && !last.value) reasons[last.reason]++;
      }
      printFigures(estimatorName(estimator), figures(outcomes, 0.9));
      said[estimator] = std::move(outcomes);
    }
    for (const auto &[reason, count] : reasons) fmt::print("  no value in {}: {}\n", count, reason);
    fmt::print(
        "\nabsolute error less that of the constant share, on the same trials; 95 % interval over "
        "programs\n");
    for (Estimator estimator : allEstimators())
      if (estimator != Estimator::ConstantShare)
        printPaired(estimatorName(estimator), said[estimator], said[Estimator::ConstantShare]);
    fmt::print("\n");
    if (*set) continue;
    fmt::print("all: estimates on units joined by 2, 3, 4 and 6 against those on the units as they "
               "are; 90 % interval "
               "over programs, * equivalent within 2 %\n");
    for (Estimator estimator : allEstimators())
      printEquivalence(estimatorName(estimator), trials, [&](const Incidence &data) {
        return estimateOne(estimator, data, {.replicates = 0});
      });
  }
}

/// What the first half of a campaign, and its first quarter, say about as many units again.
struct Foretold {
  double covered = 0, predicted = 0, ofCounts = 0, came = 0;
};

std::vector<Foretold> foretold(const std::vector<Trial> &trials, bool ofCalibration) {
  std::vector<Foretold> out;
  for (const Trial &trial : trials) {
    if ((trial.set == "calibration") != ofCalibration) continue;
    const UnitSeries whole = unitSeries(*trial.data.matrix);
    const uint32_t units = trial.data.matrix->units();
    for (uint32_t t : {units / 4, units / 2}) {
      const Incidence data = prefix(trial.data, t);
      const UnitSeries series = unitSeries(*data.matrix);
      const std::optional<Gain> gain = gainOfDoubling(data.counts, &series, std::nullopt);
      if (!gain) continue;
      const auto covered = static_cast<double>(data.counts.observed());
      out.push_back({covered, gain->value,
                     gainOfDoubling(data.counts, nullptr, std::nullopt)->value,
                     static_cast<double>(whole.observed[2 * t - 1]) - covered});
    }
  }
  return out;
}

void gains(const std::vector<Trial> &trials) {
  for (bool ofCalibration : {true, false}) {
    const std::vector<Foretold> all = foretold(trials, ofCalibration);
    fmt::print("{}: {} predictions\n",
               ofCalibration ? "the calibration's programs" : "other programs", all.size());
    for (double Foretold::*predicted : {&Foretold::predicted, &Foretold::ofCounts}) {
      double sum = 0, came = 0, held = 0, twice = 0;
      // Of those that say "go on", and of the others: how many, and how often it was worth it.
      double said[2] = {0, 0}, worth[2] = {0, 0};
      for (const Foretold &one : all) {
        const double value = one.*predicted;
        const Gain gain = gainAfter(value - 1);
        sum += value;
        came += one.came;
        held += one.came >= gain.range.lower && one.came <= gain.range.upper;
        twice += one.came + 1 <= 2 * value && value <= 2 * (one.came + 1);
        const bool goesOn = isWorthGoingOn(value, one.covered);
        said[goesOn]++;
        worth[goesOn] += isWorthGoingOn(one.came, one.covered);
      }
      const auto n = static_cast<double>(all.size());
      fmt::print("  by {}: predicted in all {:.2f} of what came; the range holds in {:.1f} %, a "
                 "factor of two in {:.1f} %; go on: {:.0f}, worth it {:.0f}; hardly worth it: "
                 "{:.0f}, worth it {:.0f}\n",
                 predicted == &Foretold::predicted ? "the second half" : "counts alone", sum / came,
                 100 * held / n, 100 * twice / n, said[1], worth[1], said[0], worth[0]);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  std::string command = argc > 2 ? argv[1] : "";
  std::vector<Trial> trials = argc > 2 ? readTrials(argv[2]) : std::vector<Trial>();
  if (command == "fit") {
    fputs(calibrationText(fitCalibration(casesOf(trials), {.shift = kShift})).c_str(), stdout);
  } else if (command == "cross") {
    std::vector<double> ridges;
    for (int i = 3; i < argc; ++i) ridges.push_back(atof(argv[i]));
    cross(trials, ridges.empty() ? std::vector<double>{1} : ridges);
  } else if (command == "shift") {
    shifts(trials);
  } else if (command == "gain") {
    gains(trials);
  } else if (command == "evaluate") {
    evaluate(trials, argc > 3 ? static_cast<unsigned>(atoi(argv[3])) : 0);
  } else {
    fputs("usage: calibration fit|cross|shift|gain|evaluate DATA.jsonl\n", stderr);
    return 2;
  }
  return 0;
}
