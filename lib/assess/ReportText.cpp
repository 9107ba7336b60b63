// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Report.h"

#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace fathom::assess {

using estimate::allEstimators;

namespace {

/// A table that is written for a terminal or as Markdown; the first column is left-justified.
class Table {
public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text(bool markdown) const;

private:
  std::vector<std::vector<std::string>> rows_;
};

/// Characters, of UTF-8.
size_t widthOf(const std::string &text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string Table::text(bool markdown) const {
  std::vector<size_t> widths;
  for (const auto &row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  }
  std::string out;
  for (size_t r = 0; r < rows_.size(); ++r) {
    out += markdown ? "|" : " ";
    for (size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string &cell = rows_[r][i];
      const std::string space(widths[i] - widthOf(cell), ' ');
      out += markdown ? " " + cell + " |" : " " + (i ? space + cell : cell + space) + " ";
    }
    if (!markdown) out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
    if (markdown && r == 0) {
      out += "|";
      for (size_t i = 0; i < widths.size(); ++i) out += i ? "---:|" : "---|";
      out += "\n";
    }
  }
  return out;
}

std::string percent(double share, bool sign = false) {
  const double p = 100 * share;
  if (std::fabs(p) >= 1000) return fmt::format("{}{:.1g} %", sign && p > 0 ? "+" : "", p);
  std::string text = std::fabs(p) < 9.95 ? fmt::format("{:.1f} %", p) : fmt::format("{:.0f} %", p);
  if (text == "-0.0 %") text = "0.0 %";
  return sign && p > 0 ? "+" + text : text;
}

std::string shareText(const Share &share) {
  return share.of ? fmt::format("{} of {}", share.hits, share.of) : "-";
}

std::string shareWithInterval(const Share &share) {
  if (!share.of) return "-";
  estimate::Interval i = share.interval();
  return fmt::format("{:.0f} % ({:.0f}-{:.0f})", 100 * *share.value(), 100 * i.lower,
                     100 * i.upper);
}

std::string levelText(double level) { return fmt::format("{:g} %", 100 * level); }

} // namespace

std::string lengthOfUnits(const Plan &plan, double units) {
  if (plan.unit.executions)
    return grouped(units * static_cast<double>(plan.unit.executions)) + " executions";
  const double seconds = units * std::chrono::duration<double>(plan.unit.time).count();
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

static size_t withTruth(const Findings &findings) {
  return static_cast<size_t>(std::count_if(findings.programs.begin(), findings.programs.end(),
                                           [](const auto &p) { return p.truth.has_value(); }));
}

static std::string headText(const Findings &findings, const ReportContext &context) {
  const Plan &plan = context.plan;
  const size_t known = withTruth(findings), real = findings.programs.size() - known;
  std::string out =
      fmt::format("{} of {} trials: {} with ground truth, {} without;\n"
                  "{} units of {} each, {} executions in all; elements are {}\n",
                  context.done, plan.trialCount(), counted(known, "program"),
                  grouped(static_cast<double>(real)), plan.units, lengthOfUnits(plan, 1),
                  grouped(static_cast<double>(context.executions)), campaign::kindNoun(plan.kind));
  for (const std::string &text : context.contradictions) out += "WRONG TRUTH: " + text + "\n";
  return out;
}

static Table programTable(const Findings &findings) {
  Table table({"program", "trials", "reachable", "covered", "share", "stop rule met", "after units",
               "covered then"});
  for (const ProgramFindings &p : findings.programs)
    table.add({p.name, std::to_string(p.trials), p.truth ? std::to_string(*p.truth) : "unknown",
               fmt::format("{:.0f}", p.meanObserved),
               p.truth ? percent(p.meanObserved / static_cast<double>(*p.truth)) : "-",
               fmt::format("{} of {}", p.stopped, p.trials),
               p.stopped ? fmt::format("{:.1f}", p.stopUnits) : "-",
               p.stopped && p.truth ? percent(p.stopCovered) : "-"});
  return table;
}

static std::string pairedText(const Paired &paired) {
  if (!paired.difference) return "-";
  std::string text = percent(*paired.difference, true);
  if (paired.interval)
    text += fmt::format(" ({} to {})", percent(paired.interval->lower, true),
                        percent(paired.interval->upper, true));
  return text;
}

static Table accuracyTable(const Findings &findings) {
  std::vector<std::string> head{"estimator",   "bias",     "abs. bias", "worst",
                                "imprecision", "no value", "capped"};
  for (double level : findings.options.levels) head.push_back(levelText(level) + " contains truth");
  head.push_back(levelText(findings.options.levels[0]) + ", blocks");
  head.emplace_back("against constant");
  Table table(head);
  for (size_t i = 0; i < allEstimators().size(); ++i) {
    const Verdict &v = findings.verdicts[i];
    const bool any = v.withValue > 0;
    std::vector<std::string> row{estimatorName(allEstimators()[i]),
                                 any ? percent(v.meanBias, true) : "-",
                                 any ? percent(v.meanAbsoluteBias) : "-",
                                 any ? percent(v.worstBias, true) : "-",
                                 v.imprecision ? fmt::format("{:.2g}", *v.imprecision) : "-",
                                 std::to_string(v.trials - v.withValue),
                                 std::to_string(v.capped)};
    for (const Share &share : v.coverage[0]) row.push_back(shareWithInterval(share));
    row.push_back(shareWithInterval(v.coverage[1][0]));
    row.push_back(pairedText(v.paired));
    table.add(row);
  }
  return table;
}

/// Absolute bias, mean over programs, at five points of the trials at most.
static Table overTimeTable(const Findings &findings, const Plan &plan) {
  const size_t points = findings.options.points, step = std::max<size_t>(1, points / 5);
  std::vector<size_t> shown;
  for (size_t at = points; at > 0; at = at > step ? at - step : 0) shown.push_back(at - 1);
  std::reverse(shown.begin(), shown.end());
  std::vector<std::string> head{"estimator"};
  for (size_t at : shown)
    head.push_back(lengthOfUnits(plan, findings.verdicts[0].overTime[at].share * plan.units));
  Table table(head);
  for (size_t i = 0; i < allEstimators().size(); ++i) {
    std::vector<std::string> row{estimatorName(allEstimators()[i])};
    for (size_t at : shown) {
      const Verdict::OverTime &then = findings.verdicts[i].overTime[at];
      row.push_back(then.bias ? percent(*then.bias, true) + " / " + percent(*then.absolute) : "-");
    }
    table.add(row);
  }
  return table;
}

static Table unitSizeTable(const Findings &findings) {
  Table table({"estimator", "worst shift", "means differ", "intervals meet", "each in the other's",
               "meet, blocks", "in other's, blocks"});
  for (size_t i = 0; i < allEstimators().size(); ++i) {
    const Verdict &v = findings.verdicts[i];
    table.add({estimatorName(allEstimators()[i]), v.worstShift ? percent(*v.worstShift, true) : "-",
               fmt::format("{} of {}", v.shifts, v.compared), shareWithInterval(v.overlap),
               shareWithInterval(v.mutual), shareWithInterval(v.overlapBlocks),
               shareWithInterval(v.mutualBlocks)});
  }
  return table;
}

static Table verdictTable(const Findings &findings) {
  Table table({"estimator", "RQ1", "RQ2", "RQ2, each in the other's"});
  for (size_t i = 0; i < allEstimators().size(); ++i) {
    const Verdict &v = findings.verdicts[i];
    table.add({estimatorName(allEstimators()[i]), outcomeName(v.accuracy), outcomeName(v.unitSizes),
               outcomeName(v.mutualContainment)});
  }
  return table;
}

/// With few trials even samples that do not overlap at all are not significantly different.
static std::string powerText(const Findings &findings) {
  uint64_t fewest = UINT64_MAX;
  for (const ProgramFindings &p : findings.programs) fewest = std::min(fewest, p.trials);
  uint64_t compared = 0;
  for (const Verdict &v : findings.verdicts) compared = std::max(compared, v.compared);
  if (!compared || fewest > 20) return "";
  const double ways = std::pow(2, static_cast<double>(fewest)); // of giving differences their signs
  const double least = 2 / ways * static_cast<double>(compared);
  if (least < 0.05) return "";
  return fmt::format(
      "Too few trials: with {} campaigns, signed ranks alone cannot show a difference of means\n"
      "after correction for {} comparisons. What is not refuted here may still be wrong.\n",
      fewest, compared);
}

static std::string sizesText(const Plan &plan) {
  std::vector<std::string> sizes;
  for (uint32_t size : plan.measure.sizes) sizes.push_back(lengthOfUnits(plan, size));
  return fmt::format("{}", fmt::join(sizes, ", "));
}

static std::string accuracyNotes(const MeasureOptions &options) {
  return fmt::format(
      "All figures are from the end of the trials. bias: (estimate - reachable) / reachable, "
      "averaged\n"
      "over programs; abs. bias: its absolute value; worst: on the worst program; imprecision: "
      "the\n"
      "variance of bias between trials. Shares come with their 95 % interval. blocks: intervals\n"
      "widened for elements that are always covered together. against constant: absolute error "
      "less\n"
      "that of the constant share, on the trials in which both have a value. refuted: the {} "
      "intervals contain\n"
      "the truth less often than they claim; below {:g} independent trials there is no verdict.\n",
      levelText(options.levels[0]), kLeastTrials);
}

static std::string unitSizeNotes(const Plan &plan) {
  return fmt::format(
      "The same campaigns with units of {}. worst shift: how far a program's mean estimate moves\n"
      "between two of these lengths; means differ: Student's t or Wilcoxon's signed ranks of each\n"
      "campaign's two estimates after Holm, 5 %, and the shift is 2 % and more;\n"
      "intervals meet: the {} intervals of two lengths overlap; each in the other's: each "
      "estimate\n"
      "lies in the other's interval. refuted: means differ, or intervals meet less often than {};\n"
      "again there is no verdict below {:g} trials.\n",
      sizesText(plan), levelText(plan.measure.levels[0]), levelText(plan.measure.levels[0]),
      kLeastTrials);
}

std::string summaryText(const Findings &findings, const ReportContext &context) {
  std::string out = headText(findings, context);
  if (findings.programs.empty()) return out;
  out += "\n" + programTable(findings).text(false);
  if (withTruth(findings))
    out += "\nRQ1  how accurate are the estimates?\n" + accuracyTable(findings).text(false) +
           accuracyNotes(findings.options) + "\nRQ1  bias / absolute bias over time\n" +
           overTimeTable(findings, context.plan).text(false);
  else
    out += "\nRQ1  not tested: no program has ground truth\n";
  out += "\nRQ2  do estimates depend on the length of units?\n" +
         unitSizeTable(findings).text(false) + unitSizeNotes(context.plan);
  out += "\nverdict\n" + verdictTable(findings).text(false) + powerText(findings);
  return out;
}

// ---- Markdown
// --------------------------------------------------------------------------------------------------

static std::string programMarkdown(const ProgramFindings &program, const Findings &findings,
                                   const Plan &plan) {
  std::string out = fmt::format("\n## {}\n", program.name);
  if (program.truth) {
    out += fmt::format("\nBias over time (mean over {} trials, {} reachable {}), and how many "
                       "final intervals contain the truth:\n\n",
                       program.trials, *program.truth, campaign::kindNoun(plan.kind));
    std::vector<std::string> head{"estimator"};
    const size_t points = program.accuracy[0].size(), step = std::max<size_t>(1, points / 5);
    std::vector<size_t> shown;
    for (size_t at = points; at > 0; at = at > step ? at - step : 0) shown.push_back(at - 1);
    std::reverse(shown.begin(), shown.end());
    for (size_t at : shown) head.push_back(lengthOfUnits(plan, program.accuracy[0][at].units));
    head.push_back("imprecision");
    for (double level : findings.options.levels) head.push_back(levelText(level));
    head.push_back(levelText(findings.options.levels[0]) + ", blocks");
    Table table(head);
    for (size_t i = 0; i < allEstimators().size(); ++i) {
      std::vector<std::string> row{estimatorName(allEstimators()[i])};
      for (size_t at : shown) {
        const estimate::Accuracy &a = program.accuracy[i][at].accuracy;
        row.push_back(a.withValue ? percent(a.meanBias, true) : "-");
      }
      const AccuracyAt &end = program.accuracy[i].back();
      row.push_back(end.accuracy.withValue > 1 ? fmt::format("{:.2g}", end.accuracy.imprecision)
                                               : "-");
      for (const Share &share : end.coverage[0]) row.push_back(shareText(share));
      row.push_back(shareText(end.coverage[1][0]));
      table.add(row);
    }
    out += table.text(true);
  } else {
    out += "\nWithout ground truth: bias and interval coverage (RQ1) are unknown.\n";
  }
  out += "\nUnits of two lengths, counted in units of the campaign; shuffled: after putting the "
         "units in random order:\n\n";
  Table table({"estimator", "units", "mean shift", "shuffled", "paired test", "p", "p (Holm)",
               "test of two samples", "p", "effect A", "intervals meet", "each in the other's"});
  for (size_t i = 0; i < allEstimators().size(); ++i)
    for (const SizePair &pair : program.pairs[i])
      table.add({estimatorName(allEstimators()[i]), fmt::format("{} and {}", pair.a, pair.b),
                 pair.shift ? percent(*pair.shift, true) : "-",
                 pair.shiftShuffled ? percent(*pair.shiftShuffled, true) : "-",
                 !pair.paired           ? "-"
                 : pair.paired->byRanks ? "signed ranks"
                                        : "t",
                 pair.paired ? fmt::format("{:.2g}", pair.paired->p) : "-",
                 pair.paired ? fmt::format("{:.2g}", pair.adjusted) : "-",
                 !pair.test           ? "-"
                 : pair.test->byRanks ? "Mann-Whitney"
                                      : "Welch",
                 pair.test ? fmt::format("{:.2g}", pair.test->p) : "-",
                 pair.test ? fmt::format("{:.2f}", pair.test->effect) : "-",
                 shareText(pair.overlap), shareText(pair.mutual)});
  return out + table.text(true);
}

std::string reportMarkdown(const Findings &findings, const ReportContext &context) {
  std::string out = "# Reliability of coverage estimators\n\n" + headText(findings, context);
  if (findings.programs.empty()) return out;
  out += "\n" + programTable(findings).text(true);
  out += "\n## RQ1: how accurate are the estimates?\n\n";
  if (withTruth(findings))
    out += accuracyTable(findings).text(true) + "\n" + accuracyNotes(findings.options) +
           "\nBias / absolute bias over time, mean over programs:\n\n" +
           overTimeTable(findings, context.plan).text(true) +
           "\n![bias over time](plots/bias.svg)\n![interval coverage](plots/coverage.svg)\n";
  else
    out += "Not tested: no program has ground truth.\n";
  out += "\n## RQ2: do estimates depend on the length of units?\n\n" +
         unitSizeTable(findings).text(true) + "\n" + unitSizeNotes(context.plan);
  out += "\n## Verdict\n\n";
  Table table({"estimator", "RQ1", "why", "RQ2", "why", "RQ2, each in the other's", "why"});
  for (size_t i = 0; i < allEstimators().size(); ++i) {
    const Verdict &v = findings.verdicts[i];
    table.add({estimatorName(allEstimators()[i]), outcomeName(v.accuracy), v.accuracyReason,
               outcomeName(v.unitSizes), v.unitSizesReason, outcomeName(v.mutualContainment),
               v.mutualContainmentReason});
  }
  out += table.text(true) + "\n" + powerText(findings);
  for (const ProgramFindings &program : findings.programs)
    out += programMarkdown(program, findings, context.plan);
  return out;
}

} // namespace fathom::assess
