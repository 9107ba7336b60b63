// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/AnalysisText.h"

#include "estimate/Calibration.h"
#include "support/NumberText.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fathom::estimate {

static std::string percent(double share) {
  // Never rounded up to "all".
  if (share < 1 && share > 0.9995) return "more than 99.9 %";
  return fmt::format("{:.1f} %", 100 * share);
}

static std::string levelName(double level) { return fmt::format("{:g} %", 100 * level); }

static std::string range(const Interval &interval) {
  return rangeText(interval.lower, interval.upper);
}

/// What can be concluded: whether to go on.
static std::string gainText(const Analysis &analysis) {
  if (!analysis.gain)
    return fmt::format("{} units are too few to say what going on would bring",
                       analysis.counts.units());
  const Gain &gain = *analysis.gain;
  const auto covered = static_cast<double>(analysis.counts.observed());
  return fmt::format("as many units again would cover about {} more (90 %: {}): {}",
                     grouped(std::round(gain.value)),
                     range({std::round(gain.range.lower), std::round(gain.range.upper)}),
                     isWorthGoingOn(gain.value, covered) ? "go on" : "hardly worth it");
}

/// How many can be reached, as far as the estimators that fit the data agree.
static std::string reachText(const Analysis &analysis) {
  const std::optional<EstimateSpread> spread = analysis.spread();
  const auto observed = static_cast<double>(analysis.counts.observed());
  if (!spread)
    return analysis.best() ? "no estimator can be trusted to say how many can be reached on these "
                             "data"
                           : "no estimator says how many can be reached";
  const Interval values = spread->values();
  // What the second half brought is evidence that estimators of rare elements do not see.
  const bool isDenied = !spread->isContradicted && analysis.gain &&
                        isWorthGoingOn(analysis.gain->value, observed) &&
                        observed + analysis.gain->value > values.upper;
  if (isDenied)
    return fmt::format("{} can be reached, by {} estimator{}, which that gain denies: rely on none",
                       range({std::max(values.lower, observed), std::max(values.upper, observed)}),
                       spread->count(), spread->count() == 1 ? "" : "s");
  if (values.upper <= observed) return "nothing in the data points to others that can be reached";
  const auto above = [&](const Interval &v) {
    return range({std::max(v.lower, observed), std::max(v.upper, observed)});
  };
  if (spread->isContradicted) {
    const TrustedEstimate &known = *analysis.measured();
    const double level = analysis.options.levels.front();
    return fmt::format("{} can be reached judging by how rare they are, but {} ({}: {}) judging by "
                       "generated programs: rely on neither",
                       above(spread->ofRarity), grouped(*spread->ofPrograms), levelName(level),
                       range(*known.widened.interval(level)));
  }
  std::string text = fmt::format("{} can be reached, by {} estimator{}", above(values),
                                 spread->count(), spread->count() == 1 ? "" : "s");
  if (spread->isDisputed) text += " that contradict each other: rely on none";
  return text;
}

std::string headline(const Analysis &analysis, const std::string &noun) {
  const FrequencyCounts &counts = analysis.counts;
  if (counts.observed() == 0)
    return fmt::format("no {} were covered in {} units", noun, counts.units());
  std::string covered =
      fmt::format("{} {} covered", grouped(static_cast<double>(counts.observed())), noun);
  if (analysis.allCovered()) return covered + ", and there are no more";
  if (analysis.listing && analysis.listing->coveredApart)
    covered += fmt::format(", and {} more by other stages",
                           grouped(static_cast<double>(analysis.listing->coveredApart)));
  if (counts.units() <= 1) return covered + "; 1 sampling unit cannot tell how many can be reached";
  return fmt::format("{}; {}; {}", covered, gainText(analysis), reachText(analysis));
}

static std::string table(const Analysis &analysis) {
  double level = analysis.options.levels.front();
  std::string out =
      fmt::format("  {:<14} {:>12} {:>10}   {:<27} {:<6} {}\n", "estimator", "estimate",
                  "std. error", levelName(level) + " interval", "trust", "remark");
  for (const TrustedEstimate &entry : analysis.estimates) {
    const Estimate &e = entry.widened;
    std::optional<Interval> interval = e.interval(level);
    std::string line =
        fmt::format("  {:<14} {:>12} {:>10}   {:<27} {:<6} {}", entry.named.name(),
                    e.value ? grouped(*e.value) : "-", e.se ? grouped(*e.se) : "-",
                    interval ? range(*interval) : "-", trustName(entry.trust), entry.remark);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

static std::string fact(const std::string &name, const std::string &text) {
  return fmt::format("  {:<20} {}\n", name, text);
}

/// How many there are, and why other numbers of the same program are others.
static std::string listingFacts(const Analysis &analysis, const std::string &noun) {
  const uint64_t listed = analysis.units->listed, observed = analysis.counts.observed();
  if (!analysis.listing) {
    if (listed <= observed || analysis.atMost) return "";
    return fact(
        "listed",
        fmt::format("the matrix lists {} {} that no unit covered; if it lists all there are, "
                    "pass --at-most {}",
                    grouped(static_cast<double>(listed - observed)), noun, listed));
  }
  const Listing &listing = *analysis.listing;
  auto count = [](uint64_t number) { return grouped(static_cast<double>(number)); };
  std::string there = fmt::format("{} {} at most", count(listed), noun);
  if (listing.unreachable)
    there += fmt::format(": {} minus {} known to be unreachable",
                         count(listed + listing.unreachable), count(listing.unreachable));
  std::string out = fact("can be reached", there);
  if (listing.coveredApart)
    out +=
        fact("not counted",
             fmt::format("{} more, covered only by other stages (seeds, calibration, trimming) or "
                         "by an incomplete unit",
                         count(listing.coveredApart)));
  return out;
}

static std::string unitFacts(const Analysis &analysis, const std::string &noun) {
  const UnitAnalysis &units = *analysis.units;
  double level = analysis.options.levels.front();
  std::string out;
  out += listingFacts(analysis, noun);
  out +=
      fact("next discovery",
           fmt::format(
               "a unit finds something new with probability {:.3g} (at most {:.3g}, {}), about {} "
               "{} each time",
               units.discovery.estimate, units.discovery.upper, levelName(level),
               grouped(units.discovery.blockSize), noun));
  if (units.designEffect > 1)
    out += fact("blocks",
                fmt::format("{} {} form {} groups that are always covered together: errors are "
                            "{:.2g} times those of independent {}",
                            grouped(static_cast<double>(analysis.counts.observed())), noun,
                            grouped(static_cast<double>(units.classes)),
                            std::sqrt(units.designEffect), noun));
  if (const TrustedEstimate *best = analysis.best())
    for (const TrustedEstimate::Regrouping &regrouping : best->regroupings)
      if (regrouping.agreement && !regrouping.agreement->mutual)
        out += fact("units matter",
                    fmt::format("with units joined by {}, the estimate is {} ({}): {}",
                                regrouping.r, grouped(*regrouping.estimate.value),
                                range(*regrouping.estimate.interval(level)),
                                regrouping.agreement->overlap
                                    ? "the estimates are outside each other's intervals"
                                    : "the intervals do not even overlap: rely on neither"));
  if (units.drifts()) {
    bool more = units.drift->secondMean > units.drift->firstMean;
    out +=
        fact("drift",
             fmt::format("late units cover {} than early ones ({} and {} {}, p = {:.2g}): {}",
                         more ? "more" : "fewer", grouped(units.drift->secondMean),
                         grouped(units.drift->firstMean), noun, units.drift->comparison.p,
                         more ? "the estimates are probably too low" : "the units are not alike"));
  }
  return out;
}

std::string analysisText(const Analysis &analysis, const std::string &noun) {
  const FrequencyCounts &counts = analysis.counts;
  std::string out = headline(analysis, noun) + "\n\n" + table(analysis) + "\n";
  out += fact("units", fmt::format("{} (covered in exactly one: {}, in two: {})", counts.units(),
                                   grouped(static_cast<double>(counts.count(1))),
                                   grouped(static_cast<double>(counts.count(2)))));
  out += fact("sample coverage", percent(analysis.sampleCoverage));
  out +=
      fact("discovery rate", fmt::format("{:.3g} new {} in a unit", analysis.discoveryRate, noun));
  const bool isMore = !analysis.allCovered();
  if (isMore && analysis.expectedNew.value && *analysis.expectedNew.value > 0) {
    std::optional<Interval> interval =
        analysis.expectedNew.interval(analysis.options.levels.front());
    out += fact(fmt::format("next {} units", analysis.ahead),
                fmt::format("about {} new, judging by how rare {} are{}{}",
                            grouped(*analysis.expectedNew.value), noun,
                            interval ? " (" + range(*interval) + ")" : "",
                            analysis.ahead > counts.units()
                                ? ", or more: these are more units than the campaign had"
                                : ""));
  }
  if (isMore && analysis.unitsTo95 && analysis.unitsTo99 && *analysis.unitsTo99 > 0)
    out += fact("to go on for", fmt::format("{} units to cover 95 % of what Chao2 estimates, {} to "
                                            "cover 99 %",
                                            grouped(std::ceil(*analysis.unitsTo95)),
                                            grouped(std::ceil(*analysis.unitsTo99))));
  if (const Estimate &share = analysis.of(Estimator::ConstantShare).named.estimate;
      share.status == Status::Ok)
    out += fact(
        "constant share",
        fmt::format("{:.0f} % of the {} {} that are neither covered nor proved unreachable, "
                    "as on average in the calibration's campaigns; the "
                    "calibrated estimator does not beat it",
                    100 * builtinCalibration().share(),
                    grouped(*analysis.elements - static_cast<double>(counts.observed())), noun));
  if (analysis.of(Estimator::Calibrated).named.estimate.status == Status::Ok)
    out += fact(
        "calibrated",
        fmt::format("the interval should contain the truth for {} of programs like the {} "
                    "generated ones it was calibrated on; for other programs this is unknown",
                    levelName(analysis.options.levels.front()), builtinCalibration().programs));
  if (analysis.units) out += unitFacts(analysis, noun);
  if (analysis.units && analysis.units->stop.since)
    out += fact("stop rule",
                fmt::format("{} singletons than doubletons; it first held for {} units in a row "
                            "from unit {} on",
                            analysis.units->stop.holdsNow ? "met: no more" : "not met now: more",
                            analysis.options.stopWindow, analysis.units->stop.since));
  else
    out += fact("stop rule", analysis.singletonsAtMostDoubletons
                                 ? "met now: no more singletons than doubletons"
                                 : "not met: more singletons than doubletons");
  if (analysis.trend && !analysis.trend->asymptote())
    out +=
        fact("rate",
             fmt::format("falls as units^-{:.2f}, slower than 1/units: the rate alone does not yet "
                         "point to a finite number",
                         analysis.trend->exponent));
  return out;
}

} // namespace fathom::estimate
