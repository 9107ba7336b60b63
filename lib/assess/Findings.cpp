// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::assess {

using namespace estimate;

std::optional<double> Share::value() const {
  if (!of) return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(of);
}

Interval Share::interval() const { return of ? wilson(hits, of, 0.95) : Interval{0, 1}; }

const char *outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::NotTested: return "not tested";
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
  assert(false && "a size that was measured");
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
  pair.shift = meanOf(shifts);
  pair.shiftShuffled = meanOf(shuffled);
  if (atA.size() >= 2) pair.test = compareSamples(atA, atB);
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

/// Holm over everything that was tested of one estimator.
static void adjust(std::vector<ProgramFindings> &programs, size_t estimator) {
  std::vector<double> p;
  std::vector<SizePair *> tested;
  for (ProgramFindings &program : programs)
    for (SizePair &pair : program.pairs[estimator])
      if (pair.test) {
        p.push_back(pair.test->p);
        tested.push_back(&pair);
      }
  std::vector<double> adjusted = holm(p);
  for (size_t i = 0; i < tested.size(); ++i) tested[i]->adjusted = adjusted[i];
}

static bool isBelow(const Share &share, double claimed) { return share.interval().upper < claimed; }

static std::string said(const Share &share) {
  return fmt::format("{} of {} ({:.0f} %)", share.hits, share.of, 100 * share.value().value_or(0));
}

static void judgeAccuracy(Verdict &verdict, const std::vector<ProgramFindings> &programs,
                          size_t estimator, const MeasureOptions &options) {
  for (std::vector<Share> &coverage : verdict.coverage) coverage.resize(options.levels.size());
  std::vector<double> biases, absolute, imprecision;
  for (const ProgramFindings &program : programs) {
    if (!program.truth) continue;
    const AccuracyAt &end = program.accuracy[estimator].back();
    verdict.trials += end.accuracy.trials;
    verdict.withValue += end.accuracy.withValue;
    verdict.capped += end.capped;
    for (Width width : kWidths)
      for (size_t level = 0; level < options.levels.size(); ++level) {
        const size_t w = static_cast<size_t>(width);
        verdict.coverage[w][level].add(end.coverage[w][level]);
      }
    if (!end.accuracy.withValue) continue;
    biases.push_back(end.accuracy.meanBias);
    absolute.push_back(std::fabs(end.accuracy.meanBias));
    imprecision.push_back(end.accuracy.imprecision);
    if (std::fabs(end.accuracy.meanBias) > std::fabs(verdict.worstBias))
      verdict.worstBias = end.accuracy.meanBias;
  }
  verdict.meanBias = meanOf(biases);
  verdict.meanAbsoluteBias = meanOf(absolute);
  verdict.imprecision = meanOf(imprecision);
  const Share &share = verdict.coverage[0][0];
  if (!verdict.trials) return;
  if (!share.of) {
    verdict.accuracyReason = "no intervals";
    return;
  }
  const double level = options.levels[0];
  verdict.accuracy = isBelow(share, level) ? Outcome::Refuted : Outcome::NotRefuted;
  verdict.accuracyReason =
      fmt::format("the truth lies in {} of the {:g} % intervals", said(share), 100 * level);
}

static void judgeUnitSizes(Verdict &verdict, const std::vector<ProgramFindings> &programs,
                           size_t estimator, const MeasureOptions &options) {
  const SizePair *worst = nullptr;
  const ProgramFindings *where = nullptr;
  for (const ProgramFindings &program : programs)
    for (const SizePair &pair : program.pairs[estimator]) {
      verdict.mutual.add(pair.mutual);
      verdict.overlap.add(pair.overlap);
      verdict.mutualBlocks.add(pair.mutualBlocks);
      verdict.overlapBlocks.add(pair.overlapBlocks);
      verdict.compared += pair.test.has_value();
      verdict.shifts += pair.significant();
      if (std::fabs(pair.shift) > std::fabs(verdict.worstShift)) verdict.worstShift = pair.shift;
      if (pair.significant() && (!worst || pair.adjusted < worst->adjusted))
        worst = &pair, where = &program;
    }
  if (!verdict.compared && !verdict.overlap.of) return;
  verdict.unitSizes = Outcome::NotRefuted;
  auto because = [&](const std::string &reason) {
    verdict.unitSizes = Outcome::Refuted;
    verdict.unitSizesReason += (verdict.unitSizesReason.empty() ? "" : "; ") + reason;
  };
  if (worst)
    because(fmt::format("means differ in {} of {} comparisons, most clearly on {} between units of "
                        "{} and {} (shift {:+.0f} %, p = {:.2g})",
                        verdict.shifts, verdict.compared, where->name, worst->a, worst->b,
                        100 * worst->shift, worst->adjusted));
  if (isBelow(verdict.overlap, options.levels[0]))
    because("intervals meet in " + said(verdict.overlap));
  if (verdict.unitSizesReason.empty())
    verdict.unitSizesReason =
        fmt::format("intervals meet in {}, no mean differs", said(verdict.overlap));
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
    judgeUnitSizes(verdict, findings.programs, estimator, options);
    findings.verdicts.push_back(std::move(verdict));
  }
  return findings;
}

} // namespace fathom::assess
