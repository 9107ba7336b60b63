// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Findings.h"

#include "estimate/Distributions.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::assess {

using namespace estimate;

std::optional<double> Share::value() const {
  if (!of) return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(of);
}

Interval Share::interval() const {
  return of ? clopperPearson(*value() * effectiveSize(), effectiveSize(), 0.95) : Interval{0, 1};
}

Share pooled(const std::vector<Share> &programs, uint64_t trials) {
  Share all;
  std::vector<Tally> clusters;
  for (const Share &program : programs) {
    all.hits += program.hits, all.of += program.of;
    clusters.push_back({program.hits, program.of});
  }
  const double effective = std::min(effectiveSampleSize(clusters), static_cast<double>(trials));
  if (effective < static_cast<double>(all.of)) all.effective = effective;
  return all;
}

const char *outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::NotTested: return "not tested";
  case Outcome::TooFew: return "too few trials";
  case Outcome::NotRefuted: return "not refuted";
  case Outcome::Refuted: return "refuted";
  }
  return "";
}

static AccuracyAt accuracyAt(const ProgramTrials &program, size_t point, size_t estimator,
                             const MeasureOptions &options) {
  AccuracyAt at;
  const auto truth = static_cast<double>(*program.truth);
  std::vector<Answer> values, raw;
  for (std::vector<Share> &coverage : at.coverage) coverage.resize(options.levels.size());
  for (const Measured &trial : program.trials) {
    const Snapshot &snapshot = trial.snapshots[point];
    const StoredAnswer &answer = snapshot.answers[estimator];
    at.units = snapshot.units;
    at.capped += answer.status == Status::Capped;
    values.push_back(answer.at(Width::Published, 0));
    raw.push_back({answer.raw, std::nullopt});
    for (Width width : kWidths)
      for (size_t level = 0; level < options.levels.size(); ++level)
        if (auto interval = answer.at(width, level).interval)
          at.coverage[static_cast<size_t>(width)][level].add(interval->lower <= truth &&
                                                             truth <= interval->upper);
  }
  at.accuracy = accuracy(values, truth);
  at.rawBias = accuracy(raw, truth).meanBias;
  return at;
}

static const Joined &joinedAt(const Measured &trial, uint32_t size, bool shuffled) {
  for (const Joined &joined : trial.joined)
    // Single units are the same in any order.
    if (joined.size == size && joined.shuffled == (shuffled && size != 1)) return joined;
  assert(false && "no measurement for this unit size");
  return trial.joined.front();
}

static double meanOf(const std::vector<double> &values) {
  double sum = 0;
  for (double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

static SizePair comparePair(const ProgramTrials &program, size_t estimator, uint32_t a,
                            uint32_t b) {
  SizePair pair;
  pair.a = a, pair.b = b;
  std::vector<double> atA, atB, shifts, shuffled;
  for (const Measured &trial : program.trials) {
    const StoredAnswer &x = joinedAt(trial, a, false).answers[estimator];
    const StoredAnswer &y = joinedAt(trial, b, false).answers[estimator];
    const StoredAnswer &mixedX = joinedAt(trial, a, true).answers[estimator];
    const StoredAnswer &mixedY = joinedAt(trial, b, true).answers[estimator];
    if (mixedX.value && mixedY.value && *mixedX.value > 0)
      shuffled.push_back((*mixedY.value - *mixedX.value) / *mixedX.value);
    if (!x.value || !y.value) continue;
    atA.push_back(*x.value);
    atB.push_back(*y.value);
    if (*x.value > 0) shifts.push_back((*y.value - *x.value) / *x.value);
    if (auto agree = agreement(x.at(Width::Published, 0), y.at(Width::Published, 0))) {
      pair.mutual.add(agree->mutual);
      pair.overlap.add(agree->overlap);
    }
    if (auto agree = agreement(x.at(Width::Blocks, 0), y.at(Width::Blocks, 0))) {
      pair.mutualBlocks.add(agree->mutual);
      pair.overlapBlocks.add(agree->overlap);
    }
  }
  pair.trials = atA.size();
  if (!shifts.empty()) pair.shift = meanOf(shifts);
  if (!shuffled.empty()) pair.shiftShuffled = meanOf(shuffled);
  if (atA.size() >= 2) pair.test = compareSamples(atA, atB);
  pair.paired = comparePairs(atA, atB);
  return pair;
}

static ProgramFindings judgeProgram(const ProgramTrials &program, const MeasureOptions &options) {
  ProgramFindings findings;
  findings.name = program.name;
  findings.truth = program.truth;
  findings.trials = program.trials.size();
  std::vector<double> observed, stops, stopCovered;
  for (const Measured &trial : program.trials) {
    observed.push_back(static_cast<double>(trial.accumulation.back()));
    if (!trial.stopUnits) continue;
    stops.push_back(static_cast<double>(trial.stopUnits));
    if (program.truth)
      stopCovered.push_back(static_cast<double>(trial.accumulation[trial.stopUnits - 1]) /
                            static_cast<double>(*program.truth));
  }
  findings.meanObserved = meanOf(observed);
  findings.stopped = stops.size();
  findings.stopUnits = meanOf(stops);
  findings.stopCovered = meanOf(stopCovered);
  for (size_t estimator = 0; estimator < allEstimators().size(); ++estimator) {
    if (program.truth) {
      std::vector<AccuracyAt> overTime;
      overTime.reserve(options.points);
      for (size_t point = 0; point < options.points; ++point)
        overTime.push_back(accuracyAt(program, point, estimator, options));
      findings.accuracy.push_back(std::move(overTime));
    }
    std::vector<SizePair> pairs;
    for (size_t i = 0; i < options.sizes.size(); ++i)
      for (size_t j = i + 1; j < options.sizes.size(); ++j)
        pairs.push_back(comparePair(program, estimator, options.sizes[i], options.sizes[j]));
    findings.pairs.push_back(std::move(pairs));
  }
  return findings;
}

/// Adjusts the p-values of one estimator for multiple testing, over all programs and pairs of sizes
/// (Holm's method).
static void adjust(std::vector<ProgramFindings> &programs, size_t estimator) {
  std::vector<double> p;
  std::vector<SizePair *> tested;
  for (ProgramFindings &program : programs)
    for (SizePair &pair : program.pairs[estimator])
      if (pair.paired) {
        p.push_back(pair.paired->p);
        tested.push_back(&pair);
      }
  std::vector<double> adjusted = holm(p);
  for (size_t i = 0; i < tested.size(); ++i) tested[i]->adjusted = adjusted[i];
}

static bool isBelow(const Share &share, double claimed) { return share.interval().upper < claimed; }

static std::string said(const Share &share) {
  return fmt::format("{} of {} ({:.0f} %)", share.hits, share.of, 100 * share.value().value_or(0));
}

/// "" if there are enough trials for a verdict; otherwise a clause "; ..." to append to a reason.
static std::string tooFew(const Share &share) {
  if (share.effectiveSize() >= kLeastTrials) return "";
  return fmt::format("; {}, and a verdict needs {:g}",
                     share.effective
                         ? fmt::format("worth {:.1f} independent trials", *share.effective)
                         : counted(share.of, "trial"),
                     kLeastTrials);
}

static void judgeAccuracy(Verdict &verdict, const std::vector<ProgramFindings> &programs,
                          size_t estimator, const MeasureOptions &options) {
  const size_t levels = options.levels.size();
  std::vector<std::vector<Share>> shares[std::size(kWidths)]; // by level and program
  for (auto &byLevel : shares) byLevel.resize(levels);
  std::vector<double> biases, absolute, imprecision;
  for (const ProgramFindings &program : programs) {
    if (!program.truth) continue;
    const AccuracyAt &end = program.accuracy[estimator].back();
    verdict.trials += end.accuracy.trials;
    verdict.withValue += end.accuracy.withValue;
    verdict.capped += end.capped;
    for (size_t width = 0; width < std::size(kWidths); ++width)
      for (size_t level = 0; level < levels; ++level)
        shares[width][level].push_back(end.coverage[width][level]);
    if (!end.accuracy.withValue) continue;
    biases.push_back(end.accuracy.meanBias);
    absolute.push_back(std::fabs(end.accuracy.meanBias));
    if (end.accuracy.withValue > 1) imprecision.push_back(end.accuracy.imprecision);
    if (std::fabs(end.accuracy.meanBias) > std::fabs(verdict.worstBias))
      verdict.worstBias = end.accuracy.meanBias;
  }
  verdict.meanBias = meanOf(biases);
  verdict.meanAbsoluteBias = meanOf(absolute);
  if (!imprecision.empty()) verdict.imprecision = meanOf(imprecision);
  for (size_t width = 0; width < std::size(kWidths); ++width)
    for (const std::vector<Share> &programs : shares[width])
      verdict.coverage[width].push_back(pooled(programs));
  const Share &share = verdict.coverage[0][0];
  if (!share.of) {
    verdict.accuracyReason =
        verdict.trials ? "no trial gave an interval" : "no program has ground truth";
    return;
  }
  const double level = options.levels[0];
  const std::string few = tooFew(share);
  verdict.accuracy = !few.empty()            ? Outcome::TooFew
                     : isBelow(share, level) ? Outcome::Refuted
                                             : Outcome::NotRefuted;
  verdict.accuracyReason =
      fmt::format("the truth lies in {} of the {:g} % intervals{}", said(share), 100 * level, few);
}

/// Compares the absolute error of the estimator with that of the constant share, relative to the
/// truth: mean difference over programs, with an interval by Student's t.
static Paired pairedWithConstant(const std::vector<ProgramTrials> &programs, size_t estimator) {
  const size_t constant = static_cast<size_t>(
      std::find(allEstimators().begin(), allEstimators().end(), Estimator::ConstantShare) -
      allEstimators().begin());
  Paired paired;
  std::vector<double> means;
  for (const ProgramTrials &program : programs) {
    if (!program.truth) continue;
    const auto truth = static_cast<double>(*program.truth);
    std::vector<double> differences;
    for (const Measured &trial : program.trials) {
      const Answers &said = trial.snapshots.back().answers;
      if (said[estimator].value && said[constant].value)
        differences.push_back(
            (std::fabs(*said[estimator].value - truth) - std::fabs(*said[constant].value - truth)) /
            truth);
    }
    if (differences.empty()) continue;
    paired.trials += differences.size();
    means.push_back(meanOf(differences));
  }
  paired.programs = means.size();
  if (means.empty()) return paired;
  const double mean = meanOf(means);
  paired.difference = mean;
  if (means.size() < 2) return paired;
  double squares = 0;
  for (double m : means) squares += (m - mean) * (m - mean);
  const auto n = static_cast<double>(means.size());
  const double half = studentCriticalValue(0.95, n - 1) * std::sqrt(squares / (n - 1) / n);
  paired.interval = Interval{mean - half, mean + half};
  return paired;
}

static void judgeOverTime(Verdict &verdict, const std::vector<ProgramFindings> &programs,
                          size_t estimator, const MeasureOptions &options) {
  for (size_t point = 0; point < options.points; ++point) {
    Verdict::OverTime at;
    at.share = static_cast<double>(point + 1) / options.points;
    std::vector<double> biases, absolute;
    for (const ProgramFindings &program : programs) {
      if (!program.truth) continue;
      const Accuracy &accuracy = program.accuracy[estimator][point].accuracy;
      if (!accuracy.withValue) continue;
      biases.push_back(accuracy.meanBias);
      absolute.push_back(std::fabs(accuracy.meanBias));
    }
    if (!biases.empty()) at.bias = meanOf(biases), at.absolute = meanOf(absolute);
    verdict.overTime.push_back(at);
  }
}

/// Tests the hypothesis of [assess25] Sec. IV about the length of units: estimates at two lengths
/// lie in each other's intervals as often as the intervals' level says.
static void judgeMutualContainment(Verdict &verdict, const MeasureOptions &options) {
  if (!verdict.mutual.of) {
    verdict.mutualContainmentReason = "no trial gave intervals at two lengths of units";
    return;
  }
  const std::string few = tooFew(verdict.mutual);
  verdict.mutualContainment = !few.empty()                                 ? Outcome::TooFew
                              : isBelow(verdict.mutual, options.levels[0]) ? Outcome::Refuted
                                                                           : Outcome::NotRefuted;
  verdict.mutualContainmentReason =
      fmt::format("each in the other's interval in {}{}", said(verdict.mutual), few);
}

static void judgeUnitSizes(Verdict &verdict, const std::vector<ProgramFindings> &programs,
                           size_t estimator, const MeasureOptions &options) {
  const SizePair *worst = nullptr;
  const ProgramFindings *where = nullptr;
  std::vector<Share> mutual, overlap, mutualBlocks, overlapBlocks; // by program
  uint64_t trials = 0;                                             // with two values to compare
  auto add = [](Share &sum, const Share &more) { sum.hits += more.hits, sum.of += more.of; };
  for (const ProgramFindings &program : programs) {
    for (std::vector<Share> *shares : {&mutual, &overlap, &mutualBlocks, &overlapBlocks})
      shares->emplace_back();
    uint64_t compared = 0;
    for (const SizePair &pair : program.pairs[estimator]) {
      add(mutual.back(), pair.mutual);
      add(overlap.back(), pair.overlap);
      add(mutualBlocks.back(), pair.mutualBlocks);
      add(overlapBlocks.back(), pair.overlapBlocks);
      compared = std::max(compared, pair.trials);
      verdict.compared += pair.paired.has_value();
      verdict.shifts += pair.refutes();
      if (pair.shift &&
          (!verdict.worstShift || std::fabs(*pair.shift) > std::fabs(*verdict.worstShift)))
        verdict.worstShift = pair.shift;
      if (pair.refutes() && (!worst || pair.adjusted < worst->adjusted))
        worst = &pair, where = &program;
    }
    trials += compared;
  }
  verdict.mutual = pooled(mutual, trials);
  verdict.overlap = pooled(overlap, trials);
  verdict.mutualBlocks = pooled(mutualBlocks, trials);
  verdict.overlapBlocks = pooled(overlapBlocks, trials);
  std::string &reason = verdict.unitSizesReason;
  if (!trials) {
    reason = "no trial gave estimates at two lengths of units";
    return;
  }
  auto because = [&](const std::string &more) { reason += (reason.empty() ? "" : "; ") + more; };
  if (worst)
    because(fmt::format("means differ in {} of {} comparisons, most clearly on {} between units of "
                        "{} and {} (shift {:+.0f} %, p = {:.2g})",
                        verdict.shifts, verdict.compared, where->name, worst->a, worst->b,
                        100 * worst->shift.value_or(0), worst->adjusted));
  else
    because("no mean differs");
  because(verdict.overlap.of ? "intervals meet in " + said(verdict.overlap) : "no intervals");
  const bool below = verdict.overlap.of && isBelow(verdict.overlap, options.levels[0]);
  const std::string few = tooFew(verdict.overlap.of ? verdict.overlap : Share{0, trials});
  if (static_cast<double>(trials) >= kLeastTrials && (worst || (below && few.empty()))) {
    verdict.unitSizes = Outcome::Refuted;
  } else {
    verdict.unitSizes = few.empty() ? Outcome::NotRefuted : Outcome::TooFew;
    reason += few;
  }
}

Findings judge(const std::vector<ProgramTrials> &programs, const MeasureOptions &options) {
  Findings findings;
  findings.options = options;
  for (const ProgramTrials &program : programs)
    if (!program.trials.empty()) findings.programs.push_back(judgeProgram(program, options));
  for (size_t estimator = 0; estimator < allEstimators().size(); ++estimator) {
    adjust(findings.programs, estimator);
    Verdict verdict;
    judgeAccuracy(verdict, findings.programs, estimator, options);
    judgeOverTime(verdict, findings.programs, estimator, options);
    verdict.paired = pairedWithConstant(programs, estimator);
    judgeUnitSizes(verdict, findings.programs, estimator, options);
    judgeMutualContainment(verdict, options);
    findings.verdicts.push_back(std::move(verdict));
  }
  return findings;
}

} // namespace fathom::assess
