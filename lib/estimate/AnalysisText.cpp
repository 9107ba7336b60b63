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

std::string headline(const Analysis &analysis, const std::string &noun) {
  const FrequencyCounts &counts = analysis.counts;
  std::string covered = grouped(static_cast<double>(counts.observed()));
  if (counts.observed() == 0)
    return fmt::format("no {} were covered in {} units", noun, counts.units());
  if (analysis.allCovered())
    return fmt::format("{} {} covered, and there are no more", covered, noun);
  const TrustedEstimate *best = analysis.best();
  if (counts.units() <= 1 || !best)
    return fmt::format("{} {} covered; {} sampling unit{} cannot tell how many can be reached",
                       covered, noun, counts.units(), counts.units() == 1 ? "" : "s");
  const Estimate &estimate = best->widened;
  const double value = *analysis.bestValue();
  if (analysis.listing && analysis.listing->coveredApart &&
      value <= static_cast<double>(counts.observed()))
    return fmt::format("{} {} covered, and {} more by other stages; nothing in the data points to "
                       "any others",
                       covered, noun, grouped(static_cast<double>(analysis.listing->coveredApart)));
  if (estimate.status == Status::Fallback || estimate.status == Status::BelowObserved)
    return fmt::format("{} {} covered, and {}", covered, noun,
                       counts.count(1) ? "no estimator can tell how many more there are"
                                       : "nothing in the data points to more");
  if (best->trust == Trust::Poor)
    return fmt::format(
        "{} of perhaps {} reachable {} covered: no estimator can be trusted on these data", covered,
        grouped(value), noun);
  std::string ahead;
  if (analysis.expectedNew.value)
    ahead = fmt::format("the next {} unit{} would bring about {} more", analysis.ahead,
                        analysis.ahead == 1 ? "" : "s", grouped(*analysis.expectedNew.value));
  if (const TrustedEstimate *other = analysis.contradicting())
    return fmt::format("{} {} covered; about {} can be reached judging by how rare they are ({}), "
                       "about {} judging by generated programs: rely on neither; {}",
                       covered, noun, grouped(*other->widened.value), other->named.name(),
                       grouped(*analysis.measured()->widened.value), ahead);
  std::string sentence = fmt::format("{} of about {}", covered, grouped(value));
  if (auto interval = estimate.interval(analysis.options.levels.front()))
    sentence +=
        fmt::format(" ({}: {})", levelName(analysis.options.levels.front()), range(*interval));
  sentence += fmt::format(" reachable {} covered ({}); ", noun,
                          percent(static_cast<double>(counts.observed()) / value));
  return sentence + ahead;
}

/// The headline's number is one of many. One line says what the other estimates are, and whether
/// its interval covers them; "" if there is no headline, or no other estimate.
static std::string others(const Analysis &analysis) {
  const TrustedEstimate *best = analysis.best();
  auto says = [](const Estimate &e) {
    return e.value && (e.status == Status::Ok || e.status == Status::VarianceUnavailable ||
                       e.status == Status::Capped);
  };
  if (!best || analysis.counts.units() <= 1 || analysis.allCovered() || !says(best->widened))
    return "";
  const double level = analysis.options.levels.front();
  const std::optional<Interval> room = best->widened.interval(level);
  size_t count = 0, outside = 0;
  Interval values{};
  for (const TrustedEstimate &entry : analysis.estimates) {
    if (&entry == best || !says(entry.widened) || !isOfRarity(entry.named.estimator)) continue;
    const double value = *entry.widened.value;
    values.lower = count ? std::min(values.lower, value) : value;
    values.upper = count ? std::max(values.upper, value) : value;
    outside += room && (value < room->lower || value > room->upper);
    ++count;
  }
  if (!count) return "";
  std::string line = count == 1
                         ? fmt::format("the other estimator says {}", grouped(values.lower))
                         : fmt::format("the other {} estimators say {}", count, range(values));
  if (room)
    line += fmt::format(", {} within {}'s {} interval ({})",
                        outside == 0       ? "all"
                        : outside == count ? "none"
                                           : fmt::format("{} of them", count - outside),
                        best->named.name(), levelName(level), range(*room));
  return line + "\n";
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
  std::string out =
      headline(analysis, noun) + "\n" + others(analysis) + "\n" + table(analysis) + "\n";
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
                fmt::format("about {} new{}{}", grouped(*analysis.expectedNew.value),
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
